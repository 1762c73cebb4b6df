"""How what is looked for is found in a text: a word as it begins, Chinese by its pairs of characters."""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import lru_cache
from typing import Final

_HAN: Final = re.compile(r"[\u4e00-\u9fff]+")
_WORD: Final = re.compile(r"[a-z0-9_]+|[\u4e00-\u9fff]+")


@lru_cache(maxsize=256)
def query_parts(query: str) -> frozenset[str]:
    """What a text must hold to be found. Chinese is written without blanks: pairs find a word wherever it begins."""
    words = _WORD.findall(query.casefold())
    return frozenset(part for word in words for part in (_pairs(word) if _HAN.fullmatch(word) else (word,)))


def holds(text: str, part: str) -> bool:
    """Whether a text holds one part of a query."""
    return _pattern(part).search(text) is not None


def places(text: str, parts: Iterable[str]) -> tuple[tuple[int, int], ...]:
    """Where the parts are, from the left; those that overlap or touch are one place."""
    found = sorted(match.span() for part in parts for match in _pattern(part).finditer(text))
    merged: list[tuple[int, int]] = []
    for begin, end in found:
        if merged and begin <= merged[-1][1]:
            merged[-1] = (merged[-1][0], max(end, merged[-1][1]))
        else:
            merged.append((begin, end))
    return tuple(merged)


@lru_cache(maxsize=1024)
def _pattern(part: str) -> re.Pattern[str]:
    return re.compile(re.escape(part) if _HAN.fullmatch(part) else rf"\b{re.escape(part)}", re.IGNORECASE)


def _pairs(word: str) -> tuple[str, ...]:
    return (word,) if len(word) == 1 else tuple(word[at : at + 2] for at in range(len(word) - 1))
