"""A TOML or JSON table, read key by key into types; what does not fit is a DefinitionError with the key's path."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from grader.bank.errors import DefinitionError
from grader.marking.text import LANGUAGES, NO_TEXT, Text

Key = tuple[str | int, ...]

LONGEST_SLUG = 50
_SLUG = re.compile(rf"[a-zA-Z0-9_-]{{1,{LONGEST_SLUG}}}")


@dataclass(frozen=True, slots=True)
class Table:
    """A mapping whose values nobody has looked at yet."""

    values: Mapping[str, object]
    key: Key = ()

    def error(self, name: str, reason: str) -> DefinitionError:
        """The error to raise about one of the keys."""
        return DefinitionError((*self.key, name) if name else self.key, reason)

    def only(self, *known: str) -> None:
        """Refuse a key that nothing reads: it is a slip of the pen, and would be silently without effect."""
        for name in self.values:
            if name not in known:
                raise self.error(name, f"unknown key; known are {', '.join(sorted(known))}")

    def has(self, name: str) -> bool:
        """Whether the key is there."""
        return name in self.values

    def text(self, name: str) -> str:
        """A string that is not empty."""
        value = self._required(name)
        if not isinstance(value, str) or not value.strip():
            raise self.error(name, "a text is needed")
        return value

    def slug(self, name: str) -> str:
        """A name that can stand in an address."""
        value = self.text(name)
        if not is_slug(value):
            raise self.error(name, f"{value!r} is no slug: up to {LONGEST_SLUG} of a-z, 0-9, - and _ make one")
        return value

    def text_or_none(self, name: str) -> str:
        """A string, or an empty one where the key is left out."""
        return self.text(name) if self.has(name) else ""

    def flag(self, name: str) -> bool:
        """A truth value; false where it is left out."""
        value = self.values.get(name, False)
        if not isinstance(value, bool):
            raise self.error(name, "true or false is needed")
        return value

    def integer(self, name: str, default: int | None = None) -> int:
        """A whole number."""
        value = self.values.get(name, default)
        if not isinstance(value, int) or isinstance(value, bool):
            raise self.error(name, "a whole number is needed")
        return value

    def number(self, name: str) -> int | float:
        """A number."""
        value = self._required(name)
        if isinstance(value, bool) or not isinstance(value, int | float):
            raise self.error(name, "a number is needed")
        return value

    def texts(self, name: str) -> tuple[str, ...]:
        """A list of strings; empty where it is left out."""
        value = self.values.get(name, [])
        if not isinstance(value, list) or not all(isinstance(part, str) for part in value):
            raise self.error(name, "a list of texts is needed")
        return tuple(value)

    def numbers(self, name: str) -> tuple[int | float, ...]:
        """A list of numbers that is not empty."""
        value = self._required(name)
        if not isinstance(value, list) or not value or not all(type(part) in {int, float} for part in value):
            raise self.error(name, "a list of numbers is needed")
        return tuple(value)

    def number_rows(self, name: str) -> tuple[tuple[float, ...], ...]:
        """A matrix as a list of rows, all of the same length; every number is finite."""
        value: Any = self._required(name)
        rows: list[Any] = value if isinstance(value, list) and value else [None]
        if not all(isinstance(row, list) and row and len(row) == len(rows[0]) for row in rows):
            raise self.error(name, "a list of rows is needed, each with as many numbers")
        if not all(type(cell) in {int, float} and math.isfinite(cell) for row in rows for cell in row):
            raise self.error(name, "every cell must be a number")
        return tuple(tuple(map(float, row)) for row in rows)

    def both_languages(self, name: str) -> Text:
        """A text in every language of the course."""
        return self.table(name).whole_text()

    def whole_text(self) -> Text:
        """This table itself as a text in every language."""
        self.only(*LANGUAGES)
        return Text.from_json({language: self.text(language) for language in LANGUAGES})

    def both_languages_or_none(self, name: str) -> Text:
        """A text in every language, or no text at all."""
        return self.both_languages(name) if self.has(name) else NO_TEXT

    def table(self, name: str) -> Table:
        """A table within this one."""
        value = self._required(name)
        if not isinstance(value, Mapping):
            raise self.error(name, "a table is needed")
        return Table(value, (*self.key, name))

    def tables(self, name: str) -> Iterator[Table]:
        """A list of tables; none where it is left out."""
        value: Any = self.values.get(name, [])
        if not isinstance(value, list) or not all(isinstance(part, Mapping) for part in value):
            raise self.error(name, "a list of tables is needed")
        for place, part in enumerate(value):
            yield Table(part, (*self.key, name, place))

    def _required(self, name: str) -> object:
        if name not in self.values:
            raise self.error(name, "this key is missing")
        return self.values[name]


def is_slug(name: str) -> bool:
    """Whether a name can stand in an address."""
    return _SLUG.fullmatch(name) is not None
