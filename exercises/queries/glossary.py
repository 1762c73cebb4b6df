"""The glossary of a curriculum, and what of it a search finds."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Final

from exercises.models import Curriculum
from grader.bank import Term, parse_glossary

_HAN: Final = re.compile(r"[\u4e00-\u9fff]+")
_WORD: Final = re.compile(r"[a-z0-9_]+|[\u4e00-\u9fff]+")


def glossary(curriculum: Curriculum) -> tuple[Term, ...]:
    """Every term in the order of the file."""
    return parse_glossary(curriculum.glossary)


def search_glossary(terms: tuple[Term, ...], query: str) -> tuple[Term, ...]:
    """The terms that hold every part of the query: a word as it begins, Chinese by its pairs of characters."""
    parts = _parts(query)
    return tuple(term for term in terms if parts <= _found_in(term, parts))


@lru_cache(maxsize=256)
def _parts(query: str) -> frozenset[str]:
    words = _WORD.findall(query.casefold())
    return frozenset(part for word in words for part in (_pairs(word) if _HAN.fullmatch(word) else (word,)))


def _pairs(word: str) -> tuple[str, ...]:
    """Chinese is written without blanks: its neighbouring pairs find a word wherever it begins."""
    return (word,) if len(word) == 1 else tuple(word[at : at + 2] for at in range(len(word) - 1))


def _found_in(term: Term, parts: frozenset[str]) -> frozenset[str]:
    symbols = " ".join(term.symbols).replace("{", "").replace("}", "")
    told = f"{term.name.zh_hans} {term.name.en} {symbols} {term.meaning.zh_hans} {term.meaning.en}".casefold()
    return frozenset(
        part for part in parts if (part in told if _HAN.fullmatch(part) else re.search(rf"\b{re.escape(part)}", told))
    )
