"""The course's own content, tried: each named mistake gets the words it should get."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from grader.bank import parse_item, read_content
from grader.derivation.slips import Slip, outcome
from grader.derivation.variants import slip_classes
from grader.marking.entry import on_page
from grader.marking.items import Item, LabItem, NumericItem, PredictItem
from grader.marking.judge import mark_response
from grader.marking.lab_goals import run_lab
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


def lesson(slug: str, language: str) -> str:
    return (CONTENT / "qkv" / "lessons" / slug / f"lesson.{language}.md").read_text(encoding="utf-8")


def vector(written: str) -> list[float]:
    return [float(number) for number in written.split(",")]


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_library_scores_with_the_query_and_the_key_that_were_worked_out_by_hand(language: str):
    text = lesson("projection", language)
    matrix = r"\\begin\{bmatrix\} ([^{}]*?) \\end\{bmatrix\}"
    products = re.findall(rf"= W_([qkv]) x \+ b_\1 \\\\ &= {matrix} {matrix} \+ {matrix} \\\\ &= {matrix} ", text)
    by_hand = {}
    for role, *written in products:
        W, x, b, result = (np.array([vector(row.replace("&", ",")) for row in each.split(r"\\")]) for each in written)
        assert W @ x + b == pytest.approx(result)
        by_hand[role] = result[:, 0]
    patches = re.findall(r"^\| (\S+) \| \$\[([\d., ]+)\]\$ \| \$([\d. +\\cdot]+)\$ \| ([\d.]+) \|$", text, re.MULTILINE)
    keys = {name: vector(key) for name, key, _, _ in patches}
    scores = [float(score) for *_, score in patches]
    assert sorted(by_hand) == ["k", "q", "v"]
    assert list(keys.values())[1] == by_hand["k"].tolist()
    assert [by_hand["q"] @ key for key in keys.values()] == pytest.approx(scores)
    for name, _, product, score in patches:
        terms = [np.prod([float(factor) for factor in term.split(r"\cdot")]) for term in product.split("+")]
        assert sum(terms) == pytest.approx(float(score)), name
    patches_lab = ITEMS["lab-patches"]
    assert isinstance(patches_lab, LabItem)
    assert patches_lab.lab.given["logits"] == (tuple(scores),)
    assert [token.in_language(language) for token in patches_lab.lab.tokens] == list(keys)


def test_a_lab_says_the_weights_that_it_begins_with():
    street = ITEMS["lab-asym"]
    assert isinstance(street, LabItem)
    weights = run_lab(street.lab, {})["attn_weights"]
    for language in LANGUAGES:
        said = re.findall(r"0\.\d{3}", street.prompt.in_language(language))
        assert said == [f"{weights[0, 2]:.3f}", f"{weights[2, 0]:.3f}"]


def test_nothing_a_learner_reads_points_to_another_course():
    for path in sorted(CONTENT.rglob("*.md")) + sorted(CONTENT.rglob("*.toml")):
        found = re.search(
            r"速成课|模块[一二三四五]|crash course|\bmodule \d", path.read_text(encoding="utf-8"), re.IGNORECASE
        )
        assert found is None, f"{path}: {found and found[0]}"
