"""A text in both languages of the course. Neither is the original of the other."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Self

LANGUAGES = ("zh-hans", "en")


@dataclass(frozen=True, slots=True)
class Text:
    """One message, Simplified Chinese and English."""

    zh_hans: str
    en: str

    def in_language(self, language: str) -> str:
        """The words for a language tag; every tag but English reads Chinese."""
        return self.en if language.startswith("en") else self.zh_hans

    def map(self, change: Callable[[str], str]) -> Text:
        """The same change applied to both languages."""
        return Text(change(self.zh_hans), change(self.en))

    def fill(self, **values: str) -> Text:
        """Put `values` in the place of `{name}`; braces that belong to TeX stay as they are."""

        def filled(words: str) -> str:
            for name, value in values.items():
                words = words.replace("{" + name + "}", value)
            return words

        return self.map(filled)

    def to_json(self) -> dict[str, str]:
        """The form that content files, the database and the queue hold."""
        return {"zh-hans": self.zh_hans, "en": self.en}

    @classmethod
    def from_json(cls, value: Mapping[str, str]) -> Self:
        """Read what `to_json` wrote."""
        return cls(zh_hans=value["zh-hans"], en=value["en"])


NO_TEXT = Text("", "")


def code_span(text: str) -> str:
    """Code, or a machine's own words, within a text: Markdown shows them as they are, whatever signs they hold."""
    line = " ".join(text.split())
    fence = "``" if "`" in line else "`"
    padding = " " if "`" in line else ""
    return f"{fence}{padding}{line}{padding}{fence}" if line else ""
