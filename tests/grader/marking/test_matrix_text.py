"""Properties of whole matrices; what each text is read as stands in tests/fixtures/entry_cases.json."""

from __future__ import annotations

import json

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from grader.marking.matrix_text import MAX_SIDE, MAX_TEXT, refuse_misshapen, split_matrix
from grader.marking.notation import NotationError, parse_number
from tests.grader.marking.steps import steps

SIGNS = "[]()（）{}【】;；,，、. 0123456789-+*/^√\n\r\t\"'=&\\…°arytensonpdbgimx{}"
FLOATS = st.floats(allow_nan=False, allow_infinity=False) | st.integers(-99, 99).map(float)
MATRICES = st.tuples(st.integers(1, 5), st.integers(1, 5)).flatmap(
    lambda shape: st.lists(st.lists(FLOATS, min_size=shape[1], max_size=shape[1]), min_size=shape[0], max_size=shape[0])
)


def read(text: str) -> list[list[float]]:
    return [[parse_number(cell).value for cell in row] for row in split_matrix(text)]


def joined(rows: list[list[float]], between_cells: str, between_rows: str) -> str:
    return between_rows.join(between_cells.join(map(repr, row)) for row in rows)


def printed_by_numpy(rows: list[list[float]]) -> str:
    with np.printoptions(floatmode="unique"):
        return str(np.array(rows))


def repr_of_numpy(rows: list[list[float]]) -> str:
    with np.printoptions(floatmode="unique", linewidth=40):
        return repr(np.array(rows))


def as_torch(rows: list[list[float]]) -> str:
    lists = joined(rows, ", ", "],\n        [")
    return f"tensor([[{lists}]],\n       device='cuda:0', dtype=torch.float64, grad_fn=<AddmmBackward0>)"


PRINTERS = {
    "numpy print": printed_by_numpy,
    "numpy repr": repr_of_numpy,
    "numpy scalars": lambda rows: repr([list(map(np.float64, row)) for row in rows]),
    "torch": as_torch,
    "python": repr,
    "tuples": lambda rows: repr(tuple((*row, 0.0) for row in [*rows, rows[0]])),
    "json": json.dumps,
    "json on lines": lambda rows: json.dumps(rows, indent=2),
    "matlab": lambda rows: f"Q = [{joined(rows, ' ', '; ')}];",
    "matlab continued": lambda rows: f"[{joined(rows, ' ...' + chr(10), '; ')}]",
    "mathematica": lambda rows: f"{{{{{joined(rows, ', ', '}, {')}}}}}",
    "tsv": lambda rows: joined(rows, "\t", "\r\n") + "\r\n",
    "csv in quotes": lambda rows: '"' + joined(rows, '","', '"\n"') + '"\n',
    "csv": lambda rows: joined(rows, ", ", "\n"),
    "lines": lambda rows: joined(rows, "  ", "\n"),
    "latex": lambda rows: rf"\begin{{bmatrix}} {joined(rows, ' & ', chr(92) * 2 + ' ')} \end{{bmatrix}}",
    "latex array": lambda rows: (
        rf"\left(\begin{{array}}{{rr}} {joined(rows, '&', chr(92) * 2 + chr(10))} \\ \end{{array}}\right)"
    ),
    "full width": lambda rows: json.dumps(rows).translate({code: code + 0xFEE0 for code in range(0x21, 0x7F)}),
    "chinese": lambda rows: f"【{joined(rows, '，', '；')}】",
}


@pytest.mark.parametrize("style", PRINTERS)
@given(rows=MATRICES)
def test_a_printed_matrix_is_read_back_as_it_was(style, rows):
    expected = [[*row, 0.0] for row in [*rows, rows[0]]] if style == "tuples" else rows

    assert read(PRINTERS[style](rows)) == expected


@given(MATRICES)
def test_a_matrix_that_was_split_is_split_into_the_same_cells_again(rows):
    cells = split_matrix(repr(rows))

    assert split_matrix("\n".join("\t".join(row) for row in cells)) == cells


@given(st.text(max_size=200) | st.text(alphabet=SIGNS, max_size=200))
def test_no_text_of_any_kind_raises_anything_else_or_has_ragged_rows(text):
    try:
        rows = split_matrix(text)
    except NotationError:
        return
    assert {len(row) for row in rows} == {len(rows[0])}
    assert all(isinstance(cell, str) for row in rows for cell in row)


PIECES = ["array(", "tensor(", "np.float64(", ")", "[", "]", "1", "-2.5", ",", ";", "\n", "\t", " ", "...", ", dtype=x"]
PIECES += [r"\begin{bmatrix}", r"\end{bmatrix}", r"\\", "&", r"\frac{1}{2}", "$", "Q =", '"', "'", "(", "、", "{", "}"]


@given(st.lists(st.sampled_from(PIECES), max_size=30).map("".join))
def test_no_mixture_of_the_forms_raises_anything_else(text):
    try:
        rows = split_matrix(text)
    except NotationError:
        return
    assert len(rows) * len(rows[0]) >= 1


@pytest.mark.parametrize("unit", [*PIECES, "(1,", ",a=b", "1 - ", "((", "1 (", "[1],", "\\cdot ", "，", "]["])
def test_the_steps_grow_with_the_length_and_no_faster(unit):
    texts = [unit * (length // len(unit)) for length in (40, 400, 4_000, MAX_TEXT, 10 * MAX_TEXT)]

    taken = [steps(split_matrix, text) for text in texts]

    allowed = [200 + 10 * min(len(text), MAX_TEXT) for text in texts]
    assert [count for count, most in zip(taken, allowed, strict=True) if count > most] == []


def test_the_sides_of_a_matrix_are_bounded():
    refuse_misshapen([["1"] * MAX_SIDE] * MAX_SIDE)

    for rows in ([["1"] * (MAX_SIDE + 1)], [["1"]] * (MAX_SIDE + 1)):
        with pytest.raises(NotationError) as refused:
            refuse_misshapen(rows)
        assert refused.value.name == "too_many"


@pytest.mark.parametrize(
    ("text", "place"),
    [("[[1, 2], [3, 4]", 1), ("[1, 2]]", 7), ("Q = [[1], [2]", 5), ("np.array([[1, 2]]", 9), ("［1", 1)],
)
def test_a_bracket_without_its_other_half_is_named_by_its_place(text, place):
    with pytest.raises(NotationError) as refused:
        split_matrix(text)

    assert refused.value.text.en.endswith(f"character {place}.")


def test_a_ragged_row_is_told_by_its_number_and_both_counts():
    with pytest.raises(NotationError) as refused:
        split_matrix("1 2\n3 4\n5")

    assert refused.value.text.en == "Numbers in row 3: 1; in row 1: 2. Every row needs as many."
    assert refused.value.text.zh_hans == "第 3 行有 1 个数，第 1 行有 2 个；每一行的个数要一样。"


def test_an_ambiguous_comma_is_quoted_with_its_remedy():
    with pytest.raises(NotationError) as refused:
        split_matrix("1 2\n3 0,5")

    assert "“0,5”" in refused.value.text.en
    assert "Write 0.5 with a point" in refused.value.text.en
    assert "小数点请写成 0.5" in refused.value.text.zh_hans
