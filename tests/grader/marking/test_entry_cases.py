"""The table of texts that every reader of numbers and matrices shares, read by Python's."""

from __future__ import annotations

import json
from collections import Counter
from fractions import Fraction
from pathlib import Path

import pytest

from grader.marking.matrix_text import split_matrix
from grader.marking.notation import NotationError, Typed, parse_number

TABLE = Path(__file__).parents[2] / "fixtures" / "entry_cases.json"
CASES = json.loads(TABLE.read_text(encoding="utf-8"))["cases"]
READ = [case for case in CASES if "refused" not in case]
REFUSED = [case for case in CASES if "refused" in case]


def name(case) -> str:
    return ascii(case["text"][:24])


def read(case) -> list[list[Typed]]:
    rows = [[case["text"]]] if case["kind"] == "number" else split_matrix(case["text"])
    return [[parsed(cell, row, column) for column, cell in enumerate(cells)] for row, cells in enumerate(rows)]


def parsed(cell: str, row: int, column: int) -> Typed:
    try:
        return parse_number(cell)
    except NotationError as error:
        error.row, error.column = row, column
        raise


def is_near(value: float, exact: str) -> bool:
    """Whether the value is the exact number, up to a few roundings of binary arithmetic."""
    return abs(Fraction(value) - Fraction(exact)) <= abs(Fraction(exact)) * Fraction(1, 2**50)


@pytest.mark.parametrize("case", READ, ids=name)
def test_a_text_is_read_as_it_is_meant(case):
    expected = case["values"] if case["kind"] == "matrix" else [[case["value"]]]
    typed = read(case)

    assert [len(row) for row in typed] == [len(row) for row in expected]
    assert [
        [is_near(cell.value, exact) for cell, exact in zip(*rows, strict=True)]
        for rows in zip(typed, expected, strict=True)
    ] == [[True for _ in row] for row in expected]


@pytest.mark.parametrize("case", READ, ids=name)
def test_the_decimals_typed_are_counted(case):
    decimals = [[cell.decimals for cell in row] for row in read(case)]

    assert (decimals if case["kind"] == "matrix" else decimals[0][0]) == case["decimals"]


@pytest.mark.parametrize("case", REFUSED, ids=name)
def test_a_refusal_has_its_reason_its_place_and_both_languages(case):
    with pytest.raises(NotationError) as refused:
        read(case)

    error = refused.value
    assert (error.name, error.row, error.column) == (case["refused"], case.get("row", 0), case.get("column", 0))
    assert error.text.zh_hans
    assert str(error) == error.text.en != ""


def test_the_table_is_large_and_says_nothing_twice():
    texts = Counter((case["kind"], case["text"]) for case in CASES)

    assert len(CASES) >= 200
    assert texts.most_common(1)[0][1] == 1
