"""One thing that marking has to say: a named mistake, or another remark that helps."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Self

from grader.marking.text import NO_TEXT, Text


@dataclass(frozen=True, slots=True)
class Finding:
    """A named mistake, or another remark that helps: what it is called, what it says, where it stands."""

    slug: str
    title: Text
    text: Text
    field: str = ""
    is_misconception: bool = False

    def to_json(self) -> dict[str, Any]:
        """Plain JSON."""
        return {
            "slug": self.slug,
            "title": self.title.to_json(),
            "text": self.text.to_json(),
            "field": self.field,
            "is_misconception": self.is_misconception,
        }

    @classmethod
    def from_json(cls, value: Mapping[str, Any]) -> Self:
        """Read what `to_json` wrote."""
        return cls(
            slug=value["slug"],
            title=Text.from_json(value["title"]),
            text=Text.from_json(value["text"]),
            field=value["field"],
            is_misconception=value["is_misconception"],
        )


def remark(slug: str, title: Text, text: Text = NO_TEXT, *, field: str = "") -> Finding:
    """A finding that is no misconception."""
    return Finding(slug=slug, title=title, text=text, field=field)
