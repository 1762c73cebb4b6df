"""Every item of the course offers the whole ladder of hints, in both languages."""

from __future__ import annotations

from pathlib import Path

from grader.bank import parse_item, read_content
from grader.marking.hints import MAX_RUNGS, hint, rungs, step_at_hand
from grader.marking.text import LANGUAGES
from grader.marking.variants import draw_variant

CONTENT = Path(__file__).parents[3] / "content"


def test_every_item_offers_four_different_rungs_in_both_languages() -> None:
    short: dict[str, int] = {}
    for source in (item for course in read_content(CONTENT) for lesson in course.lessons for item in lesson.items):
        item = parse_item(source.definition)
        variant, step = draw_variant(item, 1), step_at_hand(item, None)
        offered = [hint(item, variant, rung, step) for rung in range(1, rungs(item) + 1)]
        for language in LANGUAGES:
            different = {text.in_language(language).strip() for text in offered} - {""}
            if len(different) != MAX_RUNGS:
                short[f"{item.slug} {language}"] = len(different)
    assert short == {}
