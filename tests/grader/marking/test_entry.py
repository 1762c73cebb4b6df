"""How the cells and texts of a numeric response become arrays, and where a refusal points."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest

from grader.marking.entry import Answer, read_answers
from grader.marking.items import NumericItem
from grader.marking.response import ResponseError
from tests.grader import samples


@dataclass(frozen=True, slots=True)
class Asked:
    item: NumericItem
    givens: dict[str, Any]
    field: str

    def read(self, cells: object) -> Answer:
        return read_answers(self.item, self.givens, {"fields": {self.field: cells}})[self.field]

    def problems(self, cells: object) -> list[tuple[int, int]]:
        with pytest.raises(ResponseError) as refused:
            self.read(cells)
        return [(problem.row, problem.column) for problem in refused.value.problems]


ONES = np.array([1.0, 1.0])
# By hand: q = (1, 1) times a column of ones is 2; Q = I X + 0 is X.
NUMBER = Asked(
    samples.item(samples.QKV.replace("d_k = 2", "d_k = 1")),
    {"x": ONES, **dict.fromkeys(("W_Q", "W_K", "W_V"), np.ones((2, 1)))},
    "q",
)
MATRIX = Asked(
    samples.item(samples.COLUMNS), {"W_q": np.eye(2), "X": np.array([[1.0, 2], [3, 4]]), "b_q": np.zeros(2)}, "Q"
)


@pytest.mark.parametrize(
    ("text", "value", "decimals"),
    [("0,5", 0.5, 1), ("2 -1", 1, None), ("[(1+2)*3]/2", 4.5, None), ("[5]", 5, None), (r"\frac{1}{2}", 0.5, None)],
)
def test_one_text_where_one_number_is_asked_for_is_read_as_the_box_reads_it(text, value, decimals):
    for cells in (text, [[text]], [text]):
        answer = NUMBER.read(cells)
        assert (answer.numbers.tolist(), answer.decimals) == ([value], (decimals,))


@pytest.mark.parametrize("text", ["1 2", "[1, 2]", "[[1, 2], [3, 4]]", "1,2,3", "x", "1/0", "[]"])
def test_what_is_no_single_number_is_refused_where_one_is_asked_for(text):
    assert NUMBER.problems(text) == [(0, 0)]


@pytest.mark.parametrize(
    "cells", ["[[1, 2], [3, 4]]", "array([[1, 2],\n       [3, 4]])", "1\t2\r\n3\t4\r\n", [[1, 2.0], ["3", "４"]]]
)
def test_text_and_cells_give_the_same_matrix(cells):
    assert MATRIX.read(cells).numbers.tolist() == [[1, 2], [3, 4]]


@pytest.mark.parametrize(
    ("cells", "places"),
    [
        ("[[1, 2], [3]]", [(1, 0)]),
        ("[[1, x], [, 4]]", [(0, 1), (1, 0)]),
        ("1 2\n3 0,5", [(1, 1)]),
        ([["1", "2"], ["3"]], [(1, 0)]),
        ([["1", "nan"], ["", "1/0"]], [(0, 1), (1, 0), (1, 1)]),
        ([["1", "2"], ["3", None]], [(1, 1)]),
        ([["1", True], ["3", "4"]], [(0, 1)]),
        ([["1", "2"], ["3", 10**400]], [(1, 1)]),
        ([["1", "2"], ["3", -(10**5000)]], [(1, 1)]),
        ([[1, 2], [3, float("inf")]], [(1, 1)]),
        ([["1", "2"], "3"], [(0, 0)]),
        ([[], []], [(0, 0)]),
        ([], [(0, 0)]),
        ([["1"] * 65] * 65, [(0, 0)]),
        (json.loads("[" * 900 + "]" * 900), [(0, 0)]),
    ],
    ids=lambda value: str(value)[:30] if isinstance(value, str) else None,
)
def test_a_refusal_points_at_the_cell(cells, places):
    assert MATRIX.problems(cells) == places
