"""One number as learners write it: a decimal, a fraction, or a short expression, from any keyboard.

A comma may stand for the decimal point of a lone number; `1,000` is refused, because one reader means a thousand and the
next means one. Nothing is evaluated as code: `grader.marking.expression` is the grammar.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

from grader.marking.expression import evaluate, finite
from grader.marking.notation_error import NotationError
from grader.marking.signs import plain

__all__ = ["MAX_CHARACTERS", "NotationError", "Typed", "parse_number"]

MAX_CHARACTERS: Final = 100

_PLAIN_DECIMAL = re.compile(r"[ \t]*[+-]?(?:\d+(?:\.(\d*))?|\.(\d+))([eE][+-]?\d+)?[ \t]*", re.ASCII)
_WITH_COMMA = re.compile(r"([ \t]*[+-]?[ \t]*\d+),(\d+[ \t]*)", re.ASCII)
_THOUSANDS = re.compile(r"[ \t]*[+-]?[1-9]\d{0,2}(?:,\d{3})+(?:\.\d*)?[ \t]*", re.ASCII)


@dataclass(frozen=True, slots=True)
class Typed:
    """A number, and how many decimals were typed if it was typed as a plain decimal."""

    value: float
    decimals: int | None


def parse_number(text: str) -> Typed:
    """Read one number. Raises NotationError."""
    if len(text) > MAX_CHARACTERS:
        raise NotationError("too_long", limit=str(MAX_CHARACTERS))
    # Nearly every cell is a plain decimal, and needs no grammar.
    return _plain_decimal(text) or _spelt_otherwise(plain(text).lstrip("\n").rstrip())


def _spelt_otherwise(line: str) -> Typed:
    if not line.strip():
        raise NotationError("empty")
    if _THOUSANDS.fullmatch(line):
        raise NotationError("comma", text=line.strip())
    with_comma = _WITH_COMMA.fullmatch(line)
    line = f"{with_comma[1]}.{with_comma[2]}" if with_comma else line
    return _plain_decimal(line) or Typed(evaluate(line), None)


def _plain_decimal(line: str) -> Typed | None:
    found = _PLAIN_DECIMAL.fullmatch(line)
    if found is None:
        return None
    decimals = None if found[3] else len(found[1] or found[2] or "")
    return Typed(finite(float(line)), decimals)
