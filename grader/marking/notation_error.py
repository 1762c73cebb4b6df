"""What is said of text that is no number or no matrix: why, where, and what to write instead."""

from __future__ import annotations

import re
from typing import Final

from grader.marking.phrases import phrase

_LONGEST_SHOWN: Final = 20
_WORD = re.compile(r"\\?[^\W\d_]+|\\.|.", re.DOTALL)
_BEGINS_NUMBER = re.compile(r"\.?\d|[(\[{√]|sqrt|\\frac", re.ASCII)

# Signs that have a remedy of their own, with the phrase that tells it.
_REMEDIES: Final = (
    (re.compile(r"[)\]}]"), "bracket"),
    (re.compile(r"(?:nan|inf(?:inity)?|\\infty)(?![A-Za-z])|∞", re.IGNORECASE), "not_a_number"),
    (re.compile(r"[²³¹⁰⁴-⁹₀-₉①-⓿❶-➓]"), "superscript"),
    (re.compile(r"[¼-¾⅐-⅟↉]"), "fraction_sign"),
    (re.compile(r"[%‰]"), "percent"),
    (re.compile(r"[,;、&\n]|\\\\"), "one_number"),
)


class NotationError(ValueError):
    """Text that is no number or no matrix.

    `name` is that of its phrase, `text` says why and what to write instead; `row` and `column` count from 0.
    """

    def __init__(self, name: str, /, *, row: int = 0, column: int = 0, **values: str) -> None:
        self.name = name
        self.text = phrase(f"notation.{name}", **values)
        self.row = row
        self.column = column
        super().__init__(self.text.en)


def unexpected(line: str, place: int, *, after_number: bool) -> NotationError:
    """The complaint about a sign that fits nowhere in a number, or not where it stands."""
    found = _WORD.match(line, place)
    is_second = after_number and _BEGINS_NUMBER.match(line, place)
    names = (name for pattern, name in _REMEDIES if pattern.match(line, place))
    name = next(names, "second" if is_second else "unknown")
    return NotationError(name, text=shown(found[0] if found else ""), place=str(place + 1))


def outside(text: str, *, row: int = 0) -> NotationError:
    """The complaint about text that stands beside the rows of a matrix."""
    return NotationError("outside", row=row, text=shown(text.strip()))


def shown(text: str) -> str:
    """A piece of what was typed, fit to be shown: short, and with the code of each sign that has no picture."""
    return "".join(sign if sign.isprintable() else f"U+{ord(sign):04X}" for sign in text[:_LONGEST_SHOWN])
