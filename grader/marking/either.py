"""A text that is written once for both conventions: `{row: x W_Q | column: W_q x}` reads as one of its two sides.

It may stand anywhere, in a formula or around one, and hold braces of TeX as long as they are balanced.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Final

from grader.marking.items import Convention

_OPENING: Final = re.compile(r"\{row:\s*")
_MATRIX: Final = re.compile(r"(?<!\$)\$W_\{?([QKVOqkvo])\}?\$(?!\$)")
_NAMES: Final = {Convention.ROW: re.compile(r"W_\{?[qkvo]"), Convention.COLUMN: re.compile(r"W_\{?[QKVO]")}
# A private-use character, which no author types, keeps the place of what reads in two ways.
_PLACE: Final = "\ue002"
_BLOCKS: Final = re.compile(r"(\n\s*\n)")
_MARK: Final = re.compile(r"\\.|[{}]|\s*\|\s*column:\s*", re.DOTALL)


@dataclass(frozen=True, slots=True)
class Either:
    """One place of a text, from `start` to `end`, and what it says in each convention."""

    start: int
    end: int
    row: str
    column: str

    def side(self, convention: Convention) -> str:
        """What stands here in a convention."""
        return self.column if convention is Convention.COLUMN else self.row


def other(convention: Convention) -> Convention:
    """Rows for columns, columns for rows."""
    return Convention.ROW if convention is Convention.COLUMN else Convention.COLUMN


def eithers(text: str) -> Iterator[Either]:
    """The places of a text that read in two ways; what opens one and is not closed stays as it is."""
    start = 0
    while opening := _OPENING.search(text, start):
        found = _close(text, opening)
        if found:
            yield found
        start = found.end if found else opening.end()


def told(text: str, convention: Convention) -> str:
    """The text of something that reads both ways: its sides chosen, and a matrix that stands alone named to match."""
    places = list(eithers(text))
    plain = "".join(_PLACE if part is None else part for part in _around(text, places))
    named = "".join(_name_matrices(block, convention) for block in _BLOCKS.split(plain))
    around = named.split(_PLACE)
    sides = (*(each.side(convention) for each in places), "")
    return "".join(words + side for words, side in zip(around, sides, strict=True))


def _around(text: str, places: list[Either]) -> Iterator[str | None]:
    """What stands around the places that read in two ways, and None for each of them."""
    start = 0
    for each in places:
        yield text[start : each.start]
        yield None
        start = each.end
    yield text[start:]


def _name_matrices(block: str, convention: Convention) -> str:
    """`$W_Q$` in rows is `$W_q$` in columns; a block that names both kinds compares them."""
    if all(names.search(block) for names in _NAMES.values()):
        return block
    return _MATRIX.sub(lambda found: f"$W_{_cased(found[1], convention)}$", block)


def _cased(letter: str, convention: Convention) -> str:
    return letter.lower() if convention is Convention.COLUMN else letter.upper()


def in_convention(text: str, convention: Convention) -> str:
    """The text with its sides chosen, and nothing else changed."""
    places = list(eithers(text))
    sides = iter(places)
    return "".join(next(sides).side(convention) if part is None else part for part in _around(text, places))


def told_each(values: Mapping[str, object], convention: Convention) -> dict[str, object]:
    """The same for every text within a table of plain JSON."""
    return {name: _told_value(value, convention) for name, value in values.items()}


def _told_value(value: object, convention: Convention) -> object:
    if isinstance(value, str):
        return told(value, convention)
    if isinstance(value, Mapping):
        return told_each(value, convention)
    return [_told_value(inner, convention) for inner in value] if isinstance(value, list) else value


def reads_both_ways(value: object) -> bool:
    """Whether plain JSON holds a text that reads differently in the two conventions."""
    if isinstance(value, str):
        return any(eithers(value))
    if isinstance(value, Mapping):
        return any(map(reads_both_ways, value.values()))
    return isinstance(value, list) and any(map(reads_both_ways, value))


def _close(text: str, opening: re.Match[str]) -> Either | None:
    depth, bar = 1, None
    for mark in _MARK.finditer(text, opening.end()):
        sign = mark[0]
        if sign in "{}":
            depth += 1 if sign == "{" else -1
        elif depth == 1 and not bar and not sign.startswith("\\"):
            bar = mark
        if depth == 0:
            row, column = (text[opening.end() : bar.start()], text[bar.end() : mark.start()]) if bar else ("", "")
            return Either(opening.start(), mark.end(), row, column.rstrip()) if bar else None
    return None
