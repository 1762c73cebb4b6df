"""What a program came to, laid out: failures first, the smallest whole, and nothing of a hidden case."""

from __future__ import annotations

import math
from dataclasses import replace
from decimal import Decimal

import pytest
from django.utils import translation

from exercises.web.code_view import code_run_view, in_short
from exercises.web.code_words import PROPERTIES
from grader.marking.finding import Finding
from grader.marking.properties import CaseGroup, Property
from grader.marking.run_report import (
    ArrayReport,
    CaseReport,
    CaseState,
    Difference,
    PropertyReport,
    RunReport,
)
from grader.marking.text import Text

RIGHT, WRONG, RAISED, NOT_REACHED = CaseState.RIGHT, CaseState.WRONG, CaseState.RAISED, CaseState.NOT_REACHED
VISIBLE, HIDDEN, WITNESS = CaseGroup.VISIBLE, CaseGroup.HIDDEN, CaseGroup.WITNESS


def call(number: int, state: CaseState, group: CaseGroup = VISIBLE, about: Property = Property.VALUES) -> CaseReport:
    return CaseReport(number, group=group, property=about, state=state)


def run(*cases: CaseReport, **told: object) -> RunReport:
    return RunReport(status="returned", stdout="", traceback="", cpu_ms=1, memory_mib=2, cases=cases, **told)


def array(name: str, shape: tuple[int, ...], *cells: str, dtype: str = "float64") -> ArrayReport:
    return ArrayReport(name, dtype, shape, cells)


def wrong(expected: ArrayReport, got: ArrayReport | None, cell: tuple[int, ...] | None) -> CaseReport:
    difference = Difference(expected.name, cell, "1", "2") if cell is not None else None
    return replace(
        call(1, WRONG),
        expected=(expected,),
        got=(got,) if got else (),
        difference=difference,
        given=(array("x", (1,), "3"),),
    )


def test_calls_that_fail_come_first() -> None:
    view = code_run_view(run(call(1, RIGHT), call(2, WRONG), call(3, NOT_REACHED), call(4, RAISED)))

    assert [case.report.number for case in view.visible] == [2, 4, 1, 3]
    assert (view.passed, view.total) == (1, 4)


def test_only_what_has_cases_of_its_own_counts_them() -> None:
    properties = tuple(PropertyReport(name, Decimal(0), Decimal(1), 0, 2) for name in Property)
    view = code_run_view(replace(run(call(1, WRONG)), properties=properties))

    assert {each.report.property for each in view.credits if not each.has_cases} == {Property.WORK, Property.EXAMPLE}


def test_the_smallest_failure_is_the_witness_or_else_the_first_visible_one() -> None:
    failing = run(call(1, RIGHT), call(2, WRONG))

    assert code_run_view(failing).smallest == code_run_view(failing).visible[0]
    assert code_run_view(replace(failing, smallest=call(9, RAISED, WITNESS))).smallest.report.number == 9
    assert code_run_view(run(call(1, RIGHT), call(2, WRONG, HIDDEN))).smallest is None


def test_hidden_calls_are_told_by_kind_alone() -> None:
    told = replace(call(1, WRONG, HIDDEN, Property.SHAPES), call="secret", given=(array("x", (1,), "secret"),))
    view = code_run_view(
        run(told, call(2, RIGHT, HIDDEN), call(3, WRONG, HIDDEN, Property.SHAPES), call(4, WRONG, HIDDEN))
    )

    assert view.visible == ()
    assert [(group.sign.key, group.count, group.kinds) for group in view.hidden] == [
        ("wrong", 3, ((PROPERTIES[Property.VALUES], 1), (PROPERTIES[Property.SHAPES], 2))),
        ("right", 1, ((PROPERTIES[Property.VALUES], 1),)),
    ]
    assert "secret" not in repr(view.hidden)


def test_the_first_differing_cell_is_marked_in_both_arrays() -> None:
    case = wrong(array("out", (2, 2), *"1234"), array("out", (2, 2), *"1254"), (1, 0))
    (pair,) = code_run_view(run(case)).smallest.pairs

    for shown in (pair.expected, pair.got):
        assert [[cell.is_first_difference for cell in row] for row in shown.blocks[0].rows] == [
            [False, False],
            [True, False],
        ]
    assert (pair.same_shape, pair.same_dtype) == (True, True)
    assert code_run_view(run(case)).smallest.index == "out[1, 0]"


def test_a_batch_is_shown_matrix_by_matrix() -> None:
    case = wrong(array("out", (2, 2, 1, 2), *"12345678"), array("out", (2, 2, 1, 2), *"12345978"), (1, 0, 0, 1))
    (pair,) = code_run_view(run(case)).smallest.pairs

    assert [block.index for block in pair.expected.blocks] == ["1, 1", "1, 2", "2, 1", "2, 2"]
    marked = [
        [cell.text for row in block.rows for cell in row if cell.is_first_difference] for block in pair.got.blocks
    ]
    assert marked == [[], [], ["9"], []]


@pytest.mark.parametrize(
    ("shape", "cell", "language", "place"),
    [
        ((2,), (1,), "en", "out, number 2"),
        ((2,), (1,), "zh-hans", "out 的第 2 个数"),
        ((2, 2), (1, 0), "en", "out, row 2, column 1"),
        ((2, 2), (1, 0), "zh-hans", "out，第 2 行第 1 列"),
        ((2, 1, 2), (1, 0, 0), "en", "out, block 2, row 1, column 1"),
        ((2, 1, 1, 2), (1, 0, 0, 1), "zh-hans", "out，第 2, 1 块，第 1 行第 2 列"),
    ],
)
def test_the_place_of_a_difference_counts_from_one_as_its_formula_does(
    shape: tuple[int, ...], cell: tuple[int, ...], language: str, place: str
) -> None:
    cells = "1234"[: math.prod(shape)]
    case = wrong(array("out", shape, *cells), array("out", shape, *cells), cell)

    with translation.override(language):
        assert code_run_view(run(case)).smallest.place == place


@pytest.mark.parametrize(("cell", "place"), [((), "out"), (None, "")])
def test_a_lone_number_has_a_place_without_brackets(cell: tuple[int, ...] | None, place: str) -> None:
    case = wrong(array("out", (), "1"), array("out", (), "2"), cell)

    assert (code_run_view(run(case)).smallest.place, code_run_view(run(case)).smallest.index) == (place, "")


@pytest.mark.parametrize(
    ("kind", "language", "said"),
    [
        ("tuple of 2", "en", "a tuple of 2 things"),
        ("tuple of 2", "zh-hans", "一个元组，里面有 2 样东西"),
        ("list of 3", "zh-hans", "一个列表，里面有 3 个数组"),
        ("uneven list", "zh-hans", "长短不一的列表"),
        ("NoneType", "zh-hans", "None"),
        ("dict", "en", "dict"),
        ("", "en", ""),
    ],
)
def test_what_came_back_instead_of_an_array_is_said_in_the_pages_language(kind: str, language: str, said: str) -> None:
    with translation.override(language):
        assert code_run_view(run(replace(call(1, WRONG), error=kind))).smallest.came_back == said


def test_an_exception_is_nothing_that_came_back() -> None:
    assert code_run_view(run(replace(call(1, RAISED), error="ValueError: no"))).smallest.came_back == ""


def test_other_shapes_and_kinds_are_told_and_mark_no_cell() -> None:
    case = wrong(array("out", (2,), "1", "2"), array("out", (1, 2), "1", "2", dtype="int64"), (1,))
    (pair,) = code_run_view(run(case)).smallest.pairs

    assert (pair.same_shape, pair.same_dtype) == (False, False)
    assert [cell.is_first_difference for cell in pair.got.blocks[0].rows[0]] == [False, False]


def test_what_is_no_array_stands_alone() -> None:
    (pair,) = code_run_view(run(wrong(array("out", (1,), "1"), None, None))).smallest.pairs

    assert (pair.got, pair.same_shape, pair.same_dtype) == (None, False, False)


@pytest.mark.parametrize(
    ("shown", "is_none", "is_empty", "is_too_large"),
    [
        (array("b", (), dtype="None"), True, False, False),
        (array("x", (0, 3)), False, True, False),
        (array("x", (100, 100)), False, False, True),
        (array("x", (10,)), False, False, True),
        (array("x", (1,), "1"), False, False, False),
    ],
)
def test_an_array_without_cells_says_why(shown: ArrayReport, is_none: bool, is_empty: bool, is_too_large: bool) -> None:
    (pair,) = code_run_view(run(wrong(shown, None, None))).smallest.pairs

    assert (pair.expected.is_none, pair.expected.is_empty, pair.expected.is_too_large) == (
        is_none,
        is_empty,
        is_too_large,
    )


@pytest.mark.parametrize(
    ("earned", "of", "passed", "key"), [("2", "2", 3, "right"), ("0", "2", 1, "wrong"), ("0", "2", 3, "blank")]
)
def test_what_a_property_earned_has_its_sign(earned: str, of: str, passed: int, key: str) -> None:
    report = PropertyReport(Property.SHAPES, Decimal(earned), Decimal(of), passed, 3)

    assert [credit.sign.key for credit in code_run_view(run(properties=(report,))).credits] == [key]


@pytest.mark.parametrize(("language", "said"), [("en", "1 of 2 cases passed"), ("zh-hans", "2 个用例通过 1 个")])
def test_a_run_is_told_in_one_sentence(language: str, said: str) -> None:
    with translation.override(language):
        assert in_short(code_run_view(run(call(1, RIGHT), call(2, WRONG)))) == said


def test_a_call_of_ones_own_is_told_by_what_it_came_to_or_what_kept_it() -> None:
    finding = Finding("code_raised", Text("出错", "It raised"), Text("", ""))
    with translation.override("en"):
        assert in_short(code_run_view(run(result="array([1.])"))) == "array([1.])"
        assert in_short(code_run_view(run(findings=(finding,)))) == "It raised"


def test_results_are_called_by_the_letter_of_the_lessons_and_arguments_as_the_call_has_them() -> None:
    expected, got = array("context", (1, 2), "1", "2"), array("context", (1, 2), "1", "3")
    case = replace(wrong(expected, got, (0, 1)), given=(array("logits", (1,), "3"),))
    with translation.override("en"):
        view = code_run_view(run(case)).smallest

        assert (view.place, view.index) == ("o, row 1, column 2", "o[0, 1]")
    assert [(pair.expected.name, pair.got.name) for pair in view.pairs] == [("o", "o")]
    assert [given.name for given in view.given] == ["logits"]
