from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from grader.marking.response import ResponseError
from grader.marking.shape_text import parse_shape

LETTERS = ("S", "d", "d_k", "d_model")
SAME = [
    "768×S",
    "768 × S",
    "(768, S)",
    "[768,S]",
    "768 x S",
    "768xS",
    "768XS",
    "768*S",
    "768, S",
    "768 S",
    "７６８×Ｓ",
    "（７６８，Ｓ）",
    "［768，S］",
    "【768、S】",
    "[768,\u3000S]",
    "((768, S))",
    "[768, S,]",
    "768 × s",
    "768 \\times S",
    "torch.Size([768, S])",
    "X.shape = (768, S)",
    "\u200b768×S\n",
]


@pytest.mark.parametrize("text", SAME)
def test_a_shape_is_read_however_it_is_written(text):
    assert parse_shape(text, LETTERS, at="") == (768, "S")


@pytest.mark.parametrize(
    ("text", "sizes"),
    [
        ("768", (768,)),
        ("(d_k,)", ("d_k",)),
        ("()", ()),
        ("[]", ()),
        ("SxSx12", ("S", "S", 12)),
        ("d_kxd", ("d_k", "d")),
        ("dk × D", ("d_k", "d")),
        ("d_{k} \\times d_\\text{model}", ("d_k", "d_model")),
        ("d_{\\text{model}}, d_{ k }", ("d_model", "d_k")),
        ("dmodel", ("d_model",)),
        ("007", (7,)),
    ],
)
def test_numbers_and_letters_mix(text, sizes):
    assert parse_shape(text, LETTERS, at="") == sizes


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("768×N", "“N” is no size here"),
        ("768×d_v", "“d_v” is no size here"),
        ("768S", "“768S”"),
        ("x x x", "“x”"),
        ("-3, 2", "“-3”"),
        ("7.5", "“7.5”"),
        ("768,,S", "“”"),
        ("²", "“²”"),
        ("1" * 10, "1111111111"),
        ("(768, S", "brackets do not match"),
        ("(768, S]", "brackets do not match"),
        ("[", "brackets do not match"),
        ("S " * 60, "up to 100 characters"),
    ],
)
def test_what_is_no_shape_is_refused_with_its_place_and_remedy(text, says):
    with pytest.raises(ResponseError, match=says) as refused:
        parse_shape(text, LETTERS, at="Q")
    assert [problem.field for problem in refused.value.problems] == ["Q"]


def test_an_unknown_letter_is_answered_with_the_letters_there_are():
    with pytest.raises(ResponseError, match="S, d, d_k, d_model"):
        parse_shape("n", LETTERS, at="Q")


def test_the_other_case_is_read_only_where_it_is_not_another_letter():
    assert parse_shape("s, S", ("s", "S"), at="") == ("s", "S")
    with pytest.raises(ResponseError):
        parse_shape("T", ("S",), at="")


def test_a_spelling_that_two_letters_share_stands_for_neither():
    with pytest.raises(ResponseError):
        parse_shape("dk", ("d_k", "d__k"), at="")


@given(st.text(max_size=40) | st.text("[](){}×xX*,; \n\\_{}Sdk0123456789７８，（）", max_size=40))
def test_no_text_raises_anything_but_a_refusal(text):
    try:
        sizes = parse_shape(text, LETTERS, at="")
    except ResponseError:
        return
    assert all(size in LETTERS or isinstance(size, int) for size in sizes)


@given(
    st.lists(st.sampled_from(LETTERS) | st.integers(0, 10**9 - 1), min_size=1, max_size=4),
    st.sampled_from(["({})", "[{}]", "{}", "（{}）"]),
    st.sampled_from([", ", ",", "×", " x ", "*", " "]),
)
def test_a_written_shape_is_read_back(sizes, brackets, between):
    assert parse_shape(brackets.format(between.join(map(str, sizes))), LETTERS, at="") == tuple(sizes)
