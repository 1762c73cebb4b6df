"""Code judged by behaviour: every wrong function is named by what it does, not by how it is written."""

from __future__ import annotations

import json
from dataclasses import replace
from decimal import Decimal

import numpy as np
import pytest

from grader.marking.code import Raised, Returned, WrongKind, full_or_nothing, judge_code, raised_finding
from grader.marking.code_cases import draw_cases, visible_cases
from grader.marking.mark import CaseState, Mark, RunReport
from grader.marking.verdict import Verdict
from tests.grader import samples

ITEM = samples.item(samples.CODE)
CASES = draw_cases(ITEM, 5)


def outcomes(function, cases=CASES):
    collected = []
    for case in cases:
        try:
            collected.append(Returned(function(*case.arguments(ITEM.parameters))))
        except ValueError as error:
            collected.append(Raised("ValueError", str(error), 2))
    return collected


def slug(function) -> str:
    judgement = judge_code(ITEM, CASES, outcomes(function))
    assert not judgement.is_right
    return judgement.findings[0].slug


@pytest.mark.parametrize(
    "right",
    [
        lambda x, W, b=None: x @ W if b is None else x @ W + b,
        lambda x, W, b=None: np.einsum("...d,dk->...k", x, W) + (0 if b is None else b),
        lambda x, W, b=None: np.dot(x, W) + np.zeros(W.shape[1]) + (0 if b is None else b),
        lambda x, W, b=None: (W.T @ x.T).T + (0 if b is None else b),
    ],
)
def test_every_way_to_write_it_right_is_right(right):
    judgement = judge_code(ITEM, CASES, outcomes(right))

    assert judgement.is_right
    assert judgement.findings == ()
    assert {case.state for case in judgement.cases} == {CaseState.RIGHT}


@pytest.mark.parametrize(
    ("named", "wrong"),
    [
        ("bias_dropped", lambda x, W, b=None: x @ W),
        ("bias_twice", lambda x, W, b=None: x @ W if b is None else x @ W + b + b),
        ("w_transposed", lambda x, W, b=None: x @ W.T if b is None else x @ W.T + b),
        ("w_transposed", lambda x, W, b=None: W @ x if b is None else W @ x + b),
        ("bias_before_product", lambda x, W, b=None: x @ W if b is None else (x + b) @ W),
        ("bias_wrong_axis", lambda x, W, b=None: x @ W if b is None else x @ W + b[:, None]),
    ],
)
def test_each_misconception_is_named_by_its_behaviour(named, wrong):
    assert slug(wrong) == named


def test_what_no_misconception_explains_is_told_by_its_kind():
    assert slug(lambda x, W, b=None: x @ W * 2) == "code_wrong"
    assert slug(lambda x, W, b=None: (x @ W)[..., None]) == "code_shape"
    assert slug(lambda x, W, b=None: np.full((*x.shape[:-1], W.shape[1]), np.nan)) == "code_not_finite"
    assert judge_code(ITEM, CASES, [WrongKind("NoneType")] * len(CASES)).findings[0].slug == "code_kind"


def test_changed_inputs_are_a_fault_of_their_own():
    changed = [Returned(case.expected, inputs_changed=True) for case in CASES]

    judgement = judge_code(ITEM, CASES, changed)

    assert not judgement.is_right
    assert judgement.findings[0].slug == "code_mutated"


def test_cases_that_were_not_reached_are_not_right():
    judgement = judge_code(ITEM, CASES, [Returned(CASES[0].expected), None, None, None])

    assert [case.state for case in judgement.cases] == [CaseState.RIGHT, *[CaseState.NOT_REACHED] * 3]
    assert not judgement.is_right


def test_a_hidden_case_tells_nothing_of_its_numbers_nor_of_its_exception():
    secret = "secret 12.345"
    judgement = judge_code(ITEM, CASES, [Returned(CASES[0].expected), *[Raised("ValueError", secret, 3)] * 3])

    assert secret not in str(judgement)
    assert all((case.given, case.expected, case.got) == ("", "", "") for case in judgement.cases if not case.visible)


def test_a_visible_case_shows_what_was_given_expected_and_got_with_the_shapes():
    judgement = judge_code(ITEM, CASES, outcomes(lambda x, W, b=None: x @ W))
    shown = judgement.cases[0]

    assert shown.given.startswith("x = (2, 3)\n")
    assert shown.expected.startswith("(2, 4)\n")
    assert shown.got.startswith("(2, 4)\n")
    assert shown.got != shown.expected


def test_hidden_numbers_are_new_for_every_seed_and_visible_ones_never():
    other = draw_cases(ITEM, 6)

    assert (CASES[0].givens["x"] == other[0].givens["x"]).all()
    assert visible_cases(ITEM)[0].expected.tolist() == CASES[0].expected.tolist()
    assert all((one.givens["W"] != two.givens["W"]).any() for one, two in zip(CASES[1:], other[1:], strict=True))


def test_a_wrong_shape_is_told_with_both_shapes_only_on_a_visible_case():
    def column(x, W, b=None):
        return (x @ W if b is None else x @ W + b)[..., None]

    shown = judge_code(ITEM, CASES, outcomes(column)).findings[0]
    hidden = judge_code(ITEM, CASES, [Returned(CASES[0].expected), *outcomes(column)[1:]]).findings[0]

    assert "(2, 4, 1); it should be (2, 4)" in shown.text.en
    assert (hidden.slug, "(" in hidden.text.en) == ("code_shape", False)


def test_an_exception_is_told_with_its_line_only_on_a_visible_case():
    raised = Raised("KeyError", "'d'", 7)

    assert raised_finding(raised, is_shown=True).text.en == "Line 7: 'd'"
    assert raised_finding(replace(raised, line=None), is_shown=True).text.en == "'d'"
    assert "'d'" not in raised_finding(raised, is_shown=False).text.en


def test_the_score_is_full_or_nothing():
    right = judge_code(ITEM, CASES, outcomes(lambda x, W, b=None: x @ W if b is None else x @ W + b))
    wrong = judge_code(ITEM, CASES, outcomes(lambda x, W, b=None: x @ W))

    assert (full_or_nothing(ITEM, right), full_or_nothing(ITEM, wrong)) == (Decimal(5), Decimal(0))


def test_a_mark_with_its_run_survives_its_json():
    judgement = judge_code(ITEM, CASES, outcomes(lambda x, W, b=None: x @ W))
    run = RunReport("returned", "printed", "", cpu_ms=3, memory_mib=4, cases=judgement.cases)
    mark = Mark(Verdict.INCORRECT, Decimal(0), Decimal(5), findings=judgement.findings, run=run)

    assert Mark.from_json(json.loads(json.dumps(mark.to_json()))) == mark


def test_float32_results_are_judged_at_their_precision():
    right = outcomes(lambda x, W, b=None: (x @ W if b is None else x @ W + b).astype(np.float32) * np.float32(1 + 3e-7))

    assert judge_code(ITEM, CASES, right).is_right
    as_float64 = [Returned(outcome.value.astype(float) * (1 + 1e-5)) for outcome in right]
    assert not judge_code(ITEM, CASES, as_float64).is_right
