from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from grader.marking.matrix_text import split_matrix
from grader.marking.notation import NotationError, parse_number

READ = {
    "0": 0.0,
    "-0": 0.0,
    "0.000": 0.0,
    ".0": 0.0,
    "1e-17": 1e-17,
    "2.7e-1": 0.27,
    ".5": 0.5,
    "5.": 5.0,
    "+2": 2.0,
    "--2": 2.0,
    "1/3": 1 / 3,
    "-1/2": -0.5,
    "2*3-1": 5.0,
    "2 - 1 - 1": 0.0,
    "8/2/2": 2.0,
    "2^3^2": 512.0,
    "-2^2": -4.0,
    "2^-1": 0.5,
    "(1+2)*3": 9.0,
    "sqrt(2)": math.sqrt(2),
    "√2": math.sqrt(2),
    "√(1+3)": 2.0,
    "１．５": 1.5,
    "－２": -2.0,
    "−2": -2.0,
    "–2": -2.0,
    "３×２": 6.0,
    "1÷4": 0.25,
    "（1＋1）": 2.0,
    "0。5": 0.5,
    "0,5": 0.5,
    "0，5": 0.5,
    "\u3000 7\u00a0": 7.0,
    "1\u200b2": 12.0,
}
REFUSED = [
    "",
    "   ",
    "\u200b",
    "nan",
    "inf",
    "-Infinity",
    "1e999",
    "eeee",
    "1e5e5",
    "0x1",
    "1_0",
    "True",
    "None",
    "1/0",
    "1/(2-2)",
    "0^-1",
    "9**9**9**9",
    "9^9^9^9",
    "(-8)^(1/3)",
    "sqrt(-1)",
    "sqrt 2",
    '__import__("os")',
    "1" * 50_000,
    "(" * 300 + "1" + ")" * 300,
    "(" * 40 + "1" + ")" * 40,
    "1 2",
    "1.2.3",
    "1,2,3",
    "10²",
    "①",
    "½",
    "٠٫٥",
    "(1",
    "1)",
    "3+",
    "*3",
    "e",
    "1;2",
    "\ud800",
    "1\n2",
]


@pytest.mark.parametrize(("text", "value"), READ.items())
def test_a_number_is_read_as_it_is_meant(text, value):
    assert parse_number(text).value == value


@pytest.mark.parametrize("text", REFUSED, ids=lambda text: ascii(text[:12]))
def test_what_is_no_number_is_refused_in_both_languages(text):
    with pytest.raises(NotationError) as refused:
        parse_number(text)

    assert refused.value.text.en
    assert refused.value.text.zh_hans
    assert "{" not in refused.value.text.en + refused.value.text.zh_hans


@pytest.mark.parametrize(("text", "decimals"), [("0.270", 3), ("-1.5", 1), ("2", 0), ("1/3", None), ("2.7e-1", None)])
def test_the_typed_decimals_are_counted(text, decimals):
    assert parse_number(text).decimals == decimals


def test_a_refusal_names_the_sign_and_its_place():
    with pytest.raises(NotationError) as refused:
        parse_number("1.5x")

    assert "“x” at character 4" in refused.value.text.en
    assert "第 4 个字符处的 “x”" in refused.value.text.zh_hans


@given(st.text(max_size=120))
def test_no_text_of_any_kind_raises_anything_else_or_reads_as_no_finite_number(text):
    try:
        typed = parse_number(text)
    except NotationError:
        return
    assert math.isfinite(typed.value)


@given(st.text(alphabet="0123456789.+-*/^()√e, sqrt", max_size=100))
def test_no_expression_of_the_grammars_own_signs_raises_anything_else(text):
    try:
        typed = parse_number(text)
    except NotationError:
        return
    assert math.isfinite(typed.value)


@given(st.floats(allow_nan=False, allow_infinity=False, width=64).filter(lambda x: x == 0 or 1e-99 < abs(x) < 1e99))
def test_every_float_is_read_back_from_how_python_writes_it(value):
    assert parse_number(repr(value)).value == value


MATRICES = [
    "[[0.5, -2], [0, 3]]",
    "[[0.5 -2],[0 3]]",
    "［［０．５，－２］，［０，３］］",
    "【0.5，-2；0，3】",
    "0.5、-2\n0、3",
    "[[0.5,\u3000-2],\u3000[0,\u30003]]",
    "[0.5 -2; 0 3]",
    "0.5\t-2\r\n0\t3",
    "array([[ 0.5, -2. ],\n       [ 0. ,  3. ]])",
    "np.array([[0.5, -2], [0, 3]])",
    "tensor([[ 0.5000, -2.0000],\n        [ 0.0000,  3.0000]])",
    "[[ 0.5 -2. ]\n [ 0.   3. ]]",
]


@pytest.mark.parametrize("text", MATRICES)
def test_a_matrix_is_read_from_every_way_of_writing_it(text):
    assert [[parse_number(cell).value for cell in row] for row in split_matrix(text)] == [[0.5, -2], [0, 3]]


def test_digits_are_never_joined_across_a_blank():
    assert split_matrix("[[1 2],[3 4]]") == [["1", "2"], ["3", "4"]]


@pytest.mark.parametrize("text", ["[[1,2],[3]]", "1 2\n3", "[1 2; 3]", "[]", "[[]]", "[[1, 2]", ";", "1 " * 9_000])
def test_a_ragged_empty_or_unclosed_matrix_is_refused(text):
    with pytest.raises(NotationError):
        split_matrix(text)


@given(st.text(alphabet="[]();,. 0123456789-\n\tarytensonp=d", max_size=200))
def test_no_pasted_text_raises_anything_else(text):
    try:
        rows = split_matrix(text)
    except NotationError:
        return
    assert len({len(row) for row in rows}) == 1
