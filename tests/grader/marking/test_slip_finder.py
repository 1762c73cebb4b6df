"""Accidents: named only where nothing else explains the numbers, asked about where something might."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from grader.derivation.graph import Ask, Step
from grader.derivation.operations import OPERATION_BY_NAME
from grader.derivation.terms import FACTORS, terms_of
from grader.marking.diagnosis import name_accidents
from grader.marking.items import Convention, Misconception
from grader.marking.judge import mark_response
from grader.marking.slip_finder import ACCIDENTS, Accident, Found, find_accidents
from grader.marking.text import Text
from tests.grader import samples

# W_q X + b_q by hand: rows (1·2 + 3·7, 1·5 + 3·11) and (0.5·2 + 4·7, 0.5·5 + 4·11), then 10 and 100 added.
VARIANT = {"seed": 1, "values": {"W_q": [[1, 3], [0.5, 4]], "X": [[2, 5], [7, 11]], "b_q": [10, 100]}}
RIGHT = [["33", "48"], ["129", "146.5"]]


def findings(cells: list[list[str]]) -> list[tuple[str, bool, str]]:
    marked = mark_response(samples.item(samples.COLUMNS), VARIANT, {"fields": {"Q": cells}})
    return [(finding.slug, finding.is_misconception, finding.text.en) for finding in marked.findings]


def with_cell(row: int, column: int, typed: str) -> list[list[str]]:
    cells = [list(line) for line in RIGHT]
    cells[row][column] = typed
    return cells


@pytest.mark.parametrize(
    ("slug", "cells"),
    [
        ("sign_flipped", with_cell(0, 0, "29")),  # 33 - 2·2
        ("sign_flipped", with_cell(1, 1, "58.5")),  # 146.5 - 2·44
        ("term_skipped", with_cell(0, 1, "43")),  # 48 - 5
        ("term_skipped", with_cell(1, 0, "101")),  # 129 - 28
        ("wrong_row_or_column", with_cell(0, 0, "48")),
        ("cells_swapped", [["48", "33"], ["129", "146.5"]]),
    ],
)
def test_a_single_explanation_is_named(slug, cells):
    assert [(found, counts) for found, counts, _ in findings(cells)] == [(slug, True)]


def test_every_wrong_cell_gets_its_own_explanation():
    cells = [["29", "43"], ["129", "146.5"]]

    assert [slug for slug, _, _ in findings(cells)] == ["sign_flipped", "term_skipped"]


def test_two_explanations_make_a_question_and_no_misconception():
    # Both terms of the first cell are 6 here, so either may have been left out.
    variant = {"seed": 1, "values": {"W_q": [[2, 3], [0, 1]], "X": [[3, 1], [2, 1]], "b_q": [1, 2]}}

    marked = mark_response(samples.item(samples.COLUMNS), variant, {"fields": {"Q": [["7", "6"], ["4", "3"]]}})

    assert [(found.slug, found.is_misconception) for found in marked.findings] == [("maybe", False)]
    assert marked.misconceptions == ()
    assert "did you skip a term?" in marked.findings[0].text.en


def test_a_single_number_is_never_enough_to_name_an_accident():
    derivation = samples.item(samples.QKV).derivation
    values = derivation.evaluate(
        {"x": np.array([2.0, 5]), **dict.fromkeys(("W_Q", "W_K", "W_V"), np.array([[1.0], [3]]))}
    )

    found = find_accidents(derivation.steps[0], values, Ask("q", 2), np.array([15.0]), np.array([0.005]))

    assert [accident.slug for accident in found.accidents] == ["term_skipped"]
    assert not found.is_certain


def test_what_no_accident_explains_stays_unexplained():
    assert [slug for slug, _, _ in findings(with_cell(0, 0, "77"))] == ["unexplained_cells"]


def test_no_question_and_no_name_gives_the_right_number_away():
    for cells in (with_cell(0, 0, "29"), with_cell(0, 1, "43"), with_cell(1, 0, "101")):
        (found,) = findings(cells)
        assert not any(right in found[2] for row in RIGHT for right in row)


@given(st.integers(0, 3), st.integers(200, 5_000))
def test_random_numbers_are_hardly_ever_explained(place, number):
    typed = with_cell(place // 2, place % 2, f"{number}.37")

    assert not {slug for slug, _, _ in findings(typed)} & set(ACCIDENTS)


SHAPES = {"S": 2, "T": 3, "d": 4, "k": 5}
OPERANDS = {
    "project_rows": ("Sd", "dk", "k"),
    "project_columns": ("kd", "dS", "k"),
    "dot_logits": ("Sk", "Tk"),
    "dot_logits_columns": ("kS", "kT"),
    "mix": ("ST", "Td"),
    "mix_columns": ("dT", "ST"),
}


@pytest.mark.parametrize("name", OPERANDS)
def test_the_terms_of_every_operation_add_up_to_it(name):

    stream = np.random.default_rng(3)
    values = {
        f"a{place}": stream.normal(size=[SHAPES[letter] for letter in letters])
        for place, letters in enumerate(OPERANDS[name])
    }
    step = Step("out", OPERATION_BY_NAME[name], tuple(values))

    assert np.allclose(terms_of(step, values).sum(axis=-1), step.run(values))


def test_the_terms_of_one_token_are_those_of_its_column():
    W, X, b = np.arange(6.0).reshape(2, 3), np.arange(3.0), np.array([10.0, 20])
    one = Step("q", OPERATION_BY_NAME["project_columns"], ("W", "x", "b"))

    assert terms_of(one, {"W": W, "x": X, "b": b}).tolist() == [[0, 1, 4, 10], [0, 4, 10, 20]]


def test_a_step_that_is_no_sum_of_products_has_no_accidents_but_a_swap():
    derivation = samples.item(samples.WEIGHTS).derivation
    values = derivation.evaluate({"Q": np.ones((3, 2)), "K": np.array([[0, 0.5], [1, 0], [0.5, 1]])})
    ask, allowed = derivation.asks[1], np.full((1, 3), 0.001)
    right = ask.pick(values["attn_weights"])

    assert find_accidents(derivation.step("attn_weights"), values, ask, np.add(right, [[0.1, 0, 0]]), allowed) is None
    swapped = find_accidents(derivation.step("attn_weights"), values, ask, right[:, [1, 0, 2]], allowed)
    assert [accident.slug for accident in swapped.accidents] == ["cells_swapped"]


def test_an_accident_in_a_column_is_told_by_its_row():
    item = replace(samples.item(samples.QKV), convention=Convention.COLUMN)
    found = Found((Accident("term_skipped", (1,), term=-0.5),), is_certain=True)

    ((_, text),) = [(each.slug, each.text.en) for each in name_accidents(named(item), found, field="q", is_column=True)]

    assert text == "row 2, column 1: -0.5"


def named(item):
    texts = Text("{row} {column} {term}", "row {row}, column {column}: {term}")
    slug = "term_skipped"
    return replace(item, misconceptions={slug: Misconception(slug, texts, texts, texts)})


def test_every_sum_of_products_has_its_terms():
    assert set(FACTORS) == set(OPERANDS)
