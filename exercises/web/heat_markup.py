"""The markup of the cells of the table of students and items: a page has thousands of them, of few kinds."""

from __future__ import annotations

from decimal import Decimal
from functools import lru_cache
from typing import Final

from django.template.loader import render_to_string
from django.utils.html import strip_spaces_between_tags
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import get_language

from exercises.queries.standings import Standing
from exercises.web.words import Sign

KINDS: Final = 4096


def heat_markup(standing: Standing, sign: Sign, max_score: Decimal) -> SafeString:
    """What a student has done with an item: a word, a sign, points and tries."""
    score = standing.score if standing.is_attempted else None
    kind = (sign.key, str(sign.word), score, max_score, standing.tries)
    return mark_safe(_rendered(get_language() or "zh-hans", *kind))  # noqa: S308 -- a template has escaped it


@lru_cache(maxsize=KINDS)
def _rendered(_language: str, key: str, word: str, score: Decimal | None, max_score: Decimal, tries: int) -> str:
    sign = {"key": key, "word": word}
    told = {"sign": sign, "score": score, "max_score": max_score, "tries": tries}
    return strip_spaces_between_tags(render_to_string("exercises/partials/heat_cell.html", told).strip())
