from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from grader.bank import parse_item, read_content
from grader.marking.alike import likeness
from grader.marking.finding import remark
from grader.marking.items import CodeItem
from grader.marking.judge import mark_response
from grader.marking.mark import Mark
from grader.marking.text import Text
from grader.marking.variants import draw_variant, givens_of
from grader.marking.verdict import Verdict
from tests.grader import samples
from tests.grader.kind_samples import MATCH, ORDER, PREDICT


@pytest.fixture(scope="module")
def items():
    [curriculum] = read_content(Path("content"))
    return {each.slug: parse_item(each.definition) for lesson in curriculum.lessons for each in lesson.items}


def answered(item, seed, change):
    variant = draw_variant(item, seed)
    ask = item.derivation.asks[0]
    right = ask.pick(item.derivation.evaluate(givens_of(variant))[ask.name])
    rows = np.atleast_2d(change(right))
    response = {"fields": {ask.name: [[f"{value:.{ask.decimals}f}" for value in row] for row in rows]}}
    return likeness(item, variant, response, mark_response(item, variant, response))


def one_cell(right):
    changed = right.copy()
    changed.flat[-1] += 7
    return changed


@pytest.mark.parametrize(
    ("change", "told"),
    [
        (lambda right: 3 * right, "3 times the right values"),
        (lambda right: -2 * right, "-2 times the right values"),
        (lambda right: right + 5, "every number off by 5"),
        (one_cell, "one cell alone is off, by 7"),
    ],
)
def test_learners_with_other_numbers_give_the_same_wrong_answer(items, change, told):
    first, second = (answered(items["pj-q"], seed, change) for seed in (1, 2_000))
    assert first == second
    assert (first.text.en, first.field) == (told, "q")


def test_numbers_without_a_relation_are_the_same_only_where_they_are_equal(items):
    noise = np.array([1.0, -4.0, 11.0])
    first, again, other = (
        answered(items["pj-q"], seed, lambda right, sign=sign: right + sign * noise[: right.size])
        for seed, sign in ((1, 1), (1, 1), (1, -1))
    )
    assert first == again
    assert first.key != other.key


def test_a_choice_is_told_by_what_was_chosen(items):
    item = items["sm-axis"]
    wrong = next(option for option in item.options if not option.is_right)
    response = {"chosen": [wrong.key]}
    found = likeness(item, {"seed": 1}, response, mark_response(item, {"seed": 1}, response))
    assert found.text == wrong.text


def test_pairs_are_told_by_those_that_are_wrong():
    item = samples.item(MATCH)
    other = next(target for target in item.targets if target.key != item.entries[0].target)
    pairs = {entry.key: entry.target for entry in item.entries} | {item.entries[0].key: other.key}
    found = likeness(item, {"seed": 1}, {"pairs": pairs}, mark_response(item, {"seed": 1}, {"pairs": pairs}))
    assert found.text.en == f"{item.entries[0].text.en} → {other.text.en}"


def test_an_order_is_told_as_it_was_sent():
    item = samples.item(ORDER)
    order = [line.key for line in item.lines][::-1]
    found = likeness(item, {"seed": 1}, {"order": order}, mark_response(item, {"seed": 1}, {"order": order}))
    lines = {line.key: f"`{line.text.en}`" if line.is_code else line.text.en for line in item.lines}
    assert found.text.en == " → ".join(lines[key] for key in order)


def test_a_prediction_is_told_by_its_numbers_whatever_was_guessed():
    item = samples.item(PREDICT)
    variant = draw_variant(item, 1)
    ask = item.numeric.derivation.asks[0]
    right = ask.pick(item.numeric.derivation.evaluate(givens_of(variant))[ask.name])
    cells = [[f"{3 * value + 9:.{ask.decimals}f}" for value in row] for row in np.atleast_2d(right)]
    told = []
    for guess in item.guesses[:2]:
        response = {"guess": guess.key, "fields": {ask.name: cells}}
        told.append(likeness(item, variant, response, mark_response(item, variant, response)))
    assert told[0] == told[1]
    assert told[0].field == ask.name


def test_a_program_is_told_by_what_was_found_first(items):
    item = next(item for item in items.values() if isinstance(item, CodeItem))
    found = remark("code_shape", Text("形状", "Shape"), Text("…", "…"))
    mark = Mark(Verdict.INCORRECT, item.max_score * 0, item.max_score, findings=(found,))
    assert likeness(item, {"seed": 1}, {"code": ""}, mark).text.en == "Shape"
    bare = Mark(Verdict.INCORRECT, item.max_score * 0, item.max_score)
    assert likeness(item, {"seed": 1}, {"code": ""}, bare).text.en == "Nothing was found to say"
