"""Numbers and matrices as learners write them, read by one small bounded grammar.

    number  = sum
    sum     = product { ("+" | "-") product }
    product = signed { ("*" | "/") signed }
    signed  = { "+" | "-" } power
    power   = atom [ "^" signed ]
    atom    = decimal | "sqrt" "(" sum ")" | "√" atom | "(" sum ")"

Nothing is evaluated as code. Length, depth and exponent are capped, so every input ends in a bounded number of steps:
either a finite number, or a NotationError that says what is wrong and where.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable
from dataclasses import dataclass

from grader.marking.phrases import phrase
from grader.marking.text import Text

MAX_CHARACTERS = 100
MAX_DEPTH = 20
MAX_EXPONENT = 64

_DECIMAL = re.compile(r"(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d{1,3})?", re.ASCII)
_RAISED_OR_CIRCLED = re.compile(r"[²³¹⁰⁴-⁹₀-₉①-⓿❶-➓]")

# Signs that Chinese keyboards, spreadsheets and word processors put in the place of the plain ones.
_PLAIN = str.maketrans(
    {
        **{chr(0xFF10 + digit): str(digit) for digit in range(10)},
        **dict.fromkeys("−–—－﹣", "-"),
        **dict.fromkeys("＋﹢", "+"),
        **dict.fromkeys("×·＊∙⋅", "*"),
        **dict.fromkeys("÷／∕", "/"),
        **dict.fromkeys("（﹙", "("),
        **dict.fromkeys("）﹚", ")"),
        **dict.fromkeys("［【〔", "["),
        **dict.fromkeys("］】〕", "]"),
        **dict.fromkeys("，、﹐", ","),
        **dict.fromkeys("；﹔", ";"),
        **dict.fromkeys("．﹒", "."),
        **dict.fromkeys("\u3000\u00a0\u2002\u2003\u2009\u202f\t", " "),
        **dict.fromkeys("\u200b\u200c\u200d\u2060\ufeff", None),
        "＾": "^",
        "ｅ": "e",
        "Ｅ": "E",
    }
)
_IDEOGRAPHIC_POINT = re.compile(r"(?<=\d)。(?=\d)")


class NotationError(ValueError):
    """Text that is no number or no matrix. `text` says why, and what to write instead; `row` and `column` from 0."""

    def __init__(self, text: Text, *, row: int = 0, column: int = 0) -> None:
        super().__init__(text.en)
        self.text = text
        self.row = row
        self.column = column


@dataclass(frozen=True, slots=True)
class Typed:
    """A number, and how many decimals were typed if it was typed as a plain decimal."""

    value: float
    decimals: int | None


def plain(text: str) -> str:
    """The same text with plain digits, signs, brackets and blanks; what cannot be read safely is left as it is."""
    return _IDEOGRAPHIC_POINT.sub(".", text.translate(_PLAIN)).strip()


def parse_number(text: str) -> Typed:
    """Read one number. Raises NotationError."""
    if len(text) > MAX_CHARACTERS:
        raise NotationError(phrase("notation.too_long", limit=str(MAX_CHARACTERS)))
    line = plain(text)
    if not line:
        raise NotationError(phrase("notation.empty"))
    line = re.sub(r"(?<=\d),(?=\d+$)", ".", line) if line.count(",") == 1 else line
    value = _Reader(line).whole()
    if not math.isfinite(value):
        raise NotationError(phrase("notation.not_finite"))
    return Typed(value=value, decimals=_decimals(line))


def _decimals(line: str) -> int | None:
    written = re.fullmatch(r"[+-]?\d*\.?(\d*)", line, re.ASCII)
    return len(written[1]) if written and "." in line else 0 if written else None


class _Reader:
    """A recursive descent over one line; each rule of the grammar is a method."""

    def __init__(self, line: str) -> None:
        self.line = line
        self.place = 0
        self.depth = 0

    def whole(self) -> float:
        value = self.sum()
        if self.peek():
            raise self.unknown()
        return value

    def sum(self) -> float:
        value = self.product()
        while sign := self.take("+-"):
            value = value + self.product() if sign == "+" else value - self.product()
        return value

    def product(self) -> float:
        value = self.signed()
        while sign := self.take("*/"):
            factor = self.signed()
            if sign == "/" and factor == 0:
                raise NotationError(phrase("notation.not_finite"))
            value = value * factor if sign == "*" else value / factor
        return value

    def signed(self) -> float:
        sign = 1
        while taken := self.take("+-"):
            sign = -sign if taken == "-" else sign
        return sign * self.power()

    def power(self) -> float:
        base = self.atom()
        if not self.take("^"):
            return base
        exponent = self.nested(self.signed)
        if abs(exponent) > MAX_EXPONENT:
            raise NotationError(phrase("notation.exponent", limit=str(MAX_EXPONENT)))
        try:
            value = base**exponent
        except (OverflowError, ZeroDivisionError):
            raise NotationError(phrase("notation.not_finite")) from None
        if isinstance(value, complex):  # a root of a negative number
            raise NotationError(phrase("notation.not_finite"))
        return float(value)

    def atom(self) -> float:
        if self.line.startswith("sqrt", self.place):
            self.place += len("sqrt")
            return self.root(self.nested(self.bracketed))
        if self.take("√"):
            return self.root(self.nested(self.atom))
        if self.peek() == "(":
            return self.nested(self.bracketed)
        return self.decimal()

    def bracketed(self) -> float:
        opened = self.place + 1
        if not self.take("("):
            raise NotationError(phrase("notation.bracket", place=str(opened)))
        value = self.sum()
        if not self.take(")"):
            raise NotationError(phrase("notation.bracket", place=str(opened)))
        return value

    def decimal(self) -> float:
        if not self.peek():
            raise NotationError(phrase("notation.unfinished"))
        found = _DECIMAL.match(self.line, self.place)
        if found is None:
            raise self.unknown()
        self.place = found.end()
        return float(found[0])

    def root(self, value: float) -> float:
        if value < 0:
            raise NotationError(phrase("notation.not_finite"))
        return math.sqrt(value)

    def nested(self, rule: Callable[[], float]) -> float:
        self.depth += 1
        if self.depth > MAX_DEPTH:
            raise NotationError(phrase("notation.too_deep", limit=str(MAX_DEPTH)))
        value = rule()
        self.depth -= 1
        return value

    def peek(self) -> str:
        while self.line[self.place : self.place + 1] == " ":
            self.place += 1
        return self.line[self.place : self.place + 1]

    def take(self, wanted: str) -> str:
        found = self.peek()
        if found and found in wanted:
            self.place += 1
            return found
        return ""

    def unknown(self) -> NotationError:
        sign = self.line[self.place]
        if sign in ")]":
            return NotationError(phrase("notation.bracket", place=str(self.place + 1)))
        name = "notation.superscript" if _RAISED_OR_CIRCLED.match(sign) else "notation.unknown"
        return NotationError(phrase(name, text=sign, place=str(self.place + 1)))
