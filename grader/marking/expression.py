r"""The value of one arithmetic expression, by recursive descent; each rule of the grammar is a method of the reader.

    sum     = product { ("+" | "-") product }
    product = signed { ("*" | "/") signed }
    signed  = { "+" | "-" } power
    power   = atom [ "^" signed ]
    atom    = decimal | "sqrt" group | "√" atom | "\frac" part part | group
    group   = "(" sum ")" | "[" sum "]" | "{" sum "}"
    part    = group | digit

Nothing is evaluated as code. Every rule moves on through the line, depth and exponent are capped, and every step has a
finite value; so each line ends soon, in a number or in a NotationError.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable
from typing import Final

from grader.marking.notation_error import NotationError, unexpected

MAX_DEPTH: Final = 20
MAX_EXPONENT: Final = 64

_DECIMAL = re.compile(r"(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?", re.ASCII)
_DIGIT = re.compile(r"\d", re.ASCII)
_CLOSING: Final = {"(": ")", "[": "]", "{": "}"}


def evaluate(line: str) -> float:
    """The value of an expression in plain signs. Raises NotationError."""
    return _Reader(line).whole()


def finite(value: float) -> float:
    """The value itself. Raises NotationError where it is beyond what floating-point numbers hold."""
    if not math.isfinite(value):
        raise NotationError("too_large")
    return value


class _Reader:
    """A place in a line, and how many brackets, powers and roots are open there."""

    def __init__(self, line: str) -> None:
        self.line = line
        self.place = 0
        self.depth = 0

    def whole(self) -> float:
        value = self.sum()
        if self.peek():
            raise unexpected(self.line, self.place, after_number=True)
        return value

    def sum(self) -> float:
        value = self.product()
        while sign := self.take("+-"):
            term = self.product()
            value = finite(value + term if sign == "+" else value - term)
        return value

    def product(self) -> float:
        value = self.signed()
        while sign := self.take("*/"):
            if sign == self.peek() == "*":
                raise NotationError("power")
            factor = self.signed()
            value = finite(value * factor) if sign == "*" else _quotient(value, factor)
        return value

    def signed(self) -> float:
        sign = 1
        while taken := self.take("+-"):
            sign = -sign if taken == "-" else sign
        return sign * self.power()

    def power(self) -> float:
        base = self.atom()
        return _power(base, self.nested(self.signed)) if self.take("^") else base

    def atom(self) -> float:
        sign = self.peek()
        if self.take_word("√"):
            return _root(self.nested(self.atom))
        if self.take_word("sqrt"):
            if self.peek() not in _CLOSING:
                raise NotationError("sqrt")
            return _root(self.group())
        if self.take_word(r"\frac"):
            above = self.part()
            return _quotient(above, self.part())
        return self.group() if sign in _CLOSING else self.decimal(_DECIMAL)

    def part(self) -> float:
        return self.group() if self.peek() in _CLOSING else self.decimal(_DIGIT)

    def group(self) -> float:
        opened = self.place
        self.place += 1
        value = self.nested(self.sum)
        following = self.peek()
        if following == _CLOSING[self.line[opened]]:
            self.place += 1
            return value
        if not following or following in _CLOSING.values():
            raise NotationError("bracket", place=str(opened + 1))
        raise unexpected(self.line, self.place, after_number=True)

    def decimal(self, pattern: re.Pattern[str]) -> float:
        if not self.peek():
            raise NotationError("unfinished")
        found = pattern.match(self.line, self.place)
        if found is None:
            raise unexpected(self.line, self.place, after_number=False)
        self.place = found.end()
        return finite(float(found[0]))

    def nested(self, rule: Callable[[], float]) -> float:
        self.depth += 1
        if self.depth > MAX_DEPTH:
            raise NotationError("too_deep", limit=str(MAX_DEPTH))
        value = rule()
        self.depth -= 1
        return value

    def peek(self) -> str:
        """The next sign that is no blank, "" at the end."""
        while self.line[self.place : self.place + 1] in (" ", "\t"):
            self.place += 1
        return self.line[self.place : self.place + 1]

    def take(self, wanted: str) -> str:
        """The next sign if it is one of those wanted, else ""."""
        found = self.peek()
        if found and found in wanted:
            self.place += 1
            return found
        return ""

    def take_word(self, word: str) -> bool:
        found = self.line.startswith(word, self.place)
        self.place += len(word) if found else 0
        return found


def _quotient(above: float, below: float) -> float:
    if below == 0:
        raise NotationError("zero_division")
    return finite(above / below)


def _power(base: float, exponent: float) -> float:
    if abs(exponent) > MAX_EXPONENT:
        raise NotationError("exponent", limit=str(MAX_EXPONENT))
    if base == 0 and exponent < 0:
        raise NotationError("zero_division")
    if base < 0 and not exponent.is_integer():
        raise NotationError("negative_root")
    try:
        return float(base**exponent)
    except OverflowError:
        raise NotationError("too_large") from None


def _root(value: float) -> float:
    if value < 0:
        raise NotationError("negative_root")
    return math.sqrt(value)
