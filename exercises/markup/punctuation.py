"""Marks that lean on a formula: no line begins with the comma after one, and none ends with the bracket before one.

A browser breaks lines on either side of a formula, whatever stands there. So a formula and the marks that touch it become
one piece that stays whole.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Final

from markdown_it.rules_core import StateCore
from markdown_it.token import Token

CLASS: Final = "tight"
_CLOSING: Final = r",.;:!?)\]’”、，。；：！？）》」"
_OPENING: Final = r"(\[‘“（《「"
_PARTS: Final = re.compile(rf"([{_CLOSING}]*)(.*?)([{_OPENING}]*)", re.DOTALL)
_AFTER: Final = re.compile(rf"[{_CLOSING}]+")
_BEFORE: Final = re.compile(rf"[{_OPENING}]+")
# What may hold a formula and nothing else.
_CLOSED_BY: Final = {"link_open": "link_close", "strong_open": "strong_close", "em_open": "em_close"}


def keep_marks(state: StateCore) -> None:
    """Bind each formula that stands in a line to the marks that touch it."""
    for token in state.tokens:
        if token.type == "inline" and any(child.type == "math_inline" for child in token.children or []):
            token.children = list(_bound([*_in_parts(token.children or [])]))


def _in_parts(tokens: Sequence[Token]) -> Iterator[Token]:
    """Each text as its closing marks, its words and its opening marks."""
    for token in tokens:
        parts = _PARTS.fullmatch(token.content) if token.type == "text" else None
        yield from (token.copy(content=part) for part in parts.groups() if part) if parts else (token,)


def _bound(tokens: Sequence[Token]) -> Iterator[Token]:
    place = 0
    while place < len(tokens):
        first = place + _is_marks(tokens, place, _BEFORE)
        end = _formula_end(tokens, first)
        last = place + 1 if end is None else end + _is_marks(tokens, end, _AFTER)
        piece = tokens[place:last]
        yield from piece if end is None or last - place == end - first else _kept_together(piece)
        place = last


def _is_marks(tokens: Sequence[Token], place: int, marks: re.Pattern[str]) -> bool:
    return place < len(tokens) and tokens[place].type == "text" and bool(marks.fullmatch(tokens[place].content))


def _formula_end(tokens: Sequence[Token], place: int) -> int | None:
    """The place behind a formula that begins here, perhaps as all that a link or an emphasis holds."""
    if place >= len(tokens):
        return None
    if tokens[place].type == "math_inline":
        return place + 1
    closing = _CLOSED_BY.get(tokens[place].type)
    inner = _formula_end(tokens, place + 1) if closing else None
    return inner + 1 if inner and inner < len(tokens) and tokens[inner].type == closing else None


def _kept_together(piece: Sequence[Token]) -> tuple[Token, ...]:
    return Token("span_open", "span", 1, attrs={"class": CLASS}), *piece, Token("span_close", "span", -1)
