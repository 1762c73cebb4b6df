"""The glossary of a curriculum, and what of it a search finds."""

from __future__ import annotations

from typing import Any

from exercises.models import Curriculum
from exercises.queries.matching import holds, query_parts
from grader.bank import Term, parse_glossary

# Curriculum -> its glossary as it was last read, and the terms in it.
_read: dict[int, tuple[Any, tuple[Term, ...]]] = {}


def glossary(curriculum: Curriculum) -> tuple[Term, ...]:
    """Every term in the order of the file."""
    if curriculum.pk not in _read or _read[curriculum.pk][0] != curriculum.glossary:
        _read[curriculum.pk] = curriculum.glossary, parse_glossary(curriculum.glossary)
    return _read[curriculum.pk][1]


def search_glossary(terms: tuple[Term, ...], query: str) -> tuple[Term, ...]:
    """The terms that hold every part of the query: a word as it begins, Chinese by its pairs of characters."""
    parts = query_parts(query)
    return tuple(term for term in terms if all(holds(_told(term), part) for part in parts))


def _told(term: Term) -> str:
    symbols = " ".join(term.symbols).replace("{", "").replace("}", "")
    return f"{term.name.zh_hans} {term.name.en} {symbols} {term.meaning.zh_hans} {term.meaning.en}"
