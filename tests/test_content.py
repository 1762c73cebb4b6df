"""The course's own content, tried: each named mistake gets the words it should get."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from grader.bank import parse_item, read_content
from grader.derivation.slips import Slip, outcome
from grader.derivation.variants import slip_classes
from grader.marking.entry import on_page
from grader.marking.items import Item, NumericItem, PredictItem
from grader.marking.judge import mark_response
from grader.marking.solution import solution
from grader.marking.text import LANGUAGES
from grader.marking.variants import draw_variant, givens_of
from grader.marking.verdict import Verdict

CONTENT = Path(__file__).resolve().parent.parent / "content"
SEEDS = range(0, 2000, 100)

DEFINITIONS: dict[str, dict[str, Any]] = {
    item.slug: item.definition
    for curriculum in read_content(CONTENT)
    for lesson in curriculum.lessons
    for item in lesson.items
}
ITEMS: dict[str, Item] = {slug: parse_item(definition) for slug, definition in DEFINITIONS.items()}
NUMERIC = [
    item.numeric if isinstance(item, PredictItem) else item
    for item in ITEMS.values()
    if isinstance(item, NumericItem | PredictItem)
]


def typed(item: NumericItem, values: dict[str, np.ndarray]) -> dict[str, Any]:
    """The response of a learner whose computation gave these values, rounded as the item asks."""
    fields = {}
    for ask in item.derivation.asks:
        rows = on_page(ask.pick(values[ask.name]), item.convention)
        fields[ask.name] = [[f"{value:.{ask.decimals}f}" for value in row] for row in rows]
    return {"fields": fields}


def numeric_slips() -> list[tuple[NumericItem, Slip]]:
    return [(item, slip) for item in NUMERIC for slip in slip_classes(item.derivation)]


@pytest.mark.parametrize("item", NUMERIC, ids=lambda item: item.slug)
def test_right_numbers_are_right_for_every_seed(item: NumericItem):
    for seed in SEEDS:
        variant = draw_variant(item, seed)
        response = typed(item, item.derivation.evaluate(givens_of(variant)))
        assert mark_response(item, variant, response).verdict is Verdict.CORRECT, f"seed {seed}"


@pytest.mark.parametrize(
    ("item", "slip"),
    numeric_slips(),
    ids=lambda value: value.slug if isinstance(value, NumericItem) else str(value.key),
)
def test_each_mistake_by_hand_is_called_by_its_name_for_every_seed(item: NumericItem, slip: Slip):
    shown = 0
    for seed in SEEDS:
        variant = draw_variant(item, seed)
        values = outcome(item.derivation, slip, givens_of(variant))
        if values is None:  # these numbers do not let anybody make the mistake (a division by zero, say)
            continue
        shown += 1
        mark = mark_response(item, variant, typed(item, values))
        assert mark.misconceptions == (slip.slug,), f"seed {seed}"
    assert shown > len(SEEDS) // 2


@pytest.mark.parametrize("item", NUMERIC, ids=lambda item: item.slug)
def test_a_worked_solution_shows_each_step_with_its_numbers(item: NumericItem):
    lines = solution(item, draw_variant(item, seed=0))
    assert len(lines) >= len(item.derivation.steps)


@pytest.mark.parametrize("slug", ITEMS)
def test_every_item_is_titled_and_asked_in_both_languages(slug: str):
    item = ITEMS[slug]
    words = [text.in_language(language) for text in (item.title, item.prompt) for language in LANGUAGES]
    assert all(word.strip() for word in words)
    assert item.title.zh_hans != item.title.en


def test_every_misconception_that_has_words_is_named_by_some_item():
    words = set(tomllib.loads((CONTENT / "misconceptions.toml").read_text(encoding="utf-8")))
    assert words - {slug for item in ITEMS.values() for slug in item.misconceptions} == set()
