from __future__ import annotations

from decimal import Decimal

import pytest

from grader.marking.judge import mark_response
from grader.marking.mark import FieldState
from grader.marking.response import ResponseError
from grader.marking.shape import SHAPE_SLIPS
from grader.marking.variants import draw_variant, present
from grader.marking.verdict import Verdict
from tests.grader import kind_samples, samples

ITEM = samples.item(kind_samples.SHAPE)
RIGHT = {"W_q": "64×768", "b_q": "64", "Q": "[64, S]", "logits": "S×S"}
UNSIZED = samples.item(kind_samples.SHAPE.replace("sizes = { d = 768, d_k = 64 }", ""))


def marked(item=ITEM, **fields):
    return mark_response(item, {}, {"fields": {**RIGHT, **fields}})


def test_every_right_shape_earns_its_share():
    assert (marked().verdict, marked().score, marked().findings) == (Verdict.CORRECT, Decimal(6), ())
    one_wrong = marked(Q="S×64")
    assert (one_wrong.verdict, one_wrong.score) == (Verdict.PARTIALLY_CORRECT, Decimal("4.50"))
    assert [field.state for field in one_wrong.fields] == [
        FieldState.RIGHT,
        FieldState.RIGHT,
        FieldState.WRONG,
        FieldState.RIGHT,
    ]


def test_letters_are_as_good_as_the_numbers_they_have():
    assert marked(W_q="d_k × 768", b_q="(d_k,)", Q="d_k×S").verdict is Verdict.CORRECT


def test_letters_without_a_number_stay_letters():
    letters = {"W_q": "d_k×d", "b_q": "d_k", "Q": "d_k×S"}
    assert marked(UNSIZED, **letters).verdict is Verdict.CORRECT
    assert marked(UNSIZED, **{**letters, "b_q": "64"}).score == Decimal("4.50")


@pytest.mark.parametrize(
    ("field", "typed", "slug"),
    [
        ("Q", "S×64", "shape_transposed"),
        ("W_q", "768×64", "shape_transposed"),
        ("W_q", "64×S", "shape_length_in_parameter"),
        ("b_q", "64×S", "shape_length_in_parameter"),
        ("Q", "768×S", "shape_keeps_summed"),
        ("logits", "64×64", "shape_keeps_summed"),
        ("logits", "S×d_k", "shape_keeps_summed"),
        ("b_q", "64×768", "shape_of_other_array"),
        ("Q", "S×S", "shape_of_other_array"),
        ("Q", "S", "shape_wrong"),
        ("b_q", "1×64", "shape_wrong"),
    ],
)
def test_a_wrong_shape_is_named_for_what_it_was_taken_for(field, typed, slug):
    mark = marked(**{field: typed})
    assert [(finding.slug, finding.field) for finding in mark.findings] == [(slug, field)]
    assert mark.misconceptions == ((slug,) if slug in SHAPE_SLIPS else ())


HEADS = samples.item(kind_samples.SHAPE.replace("d_k = 64 }", "d_k = 64, n_heads = 12 }"))


@pytest.mark.parametrize(
    ("field", "typed", "slug"),
    [
        ("W_q", "768×768", "heads_multiply_width"),
        ("W_q", "64×9216", "heads_multiply_width"),
        ("W_q", "9216×768", "shape_wrong"),
        ("b_q", "768", "heads_multiply_width"),
        ("Q", "768×S", "heads_multiply_width"),
        ("Q", "S×768", "shape_keeps_summed"),
        ("Q", "768", "shape_keeps_summed"),
        ("logits", "64×64", "shape_keeps_summed"),
        ("W_q", "S×768", "shape_length_in_parameter"),
    ],
)
def test_a_width_multiplied_by_the_heads_is_named_where_the_item_has_heads(field: str, typed: str, slug: str):
    assert [finding.slug for finding in marked(HEADS, **{field: typed}).findings] == [slug]


def test_without_heads_nothing_is_multiplied():
    assert marked(Q="768×S").misconceptions == ("shape_keeps_summed",)
    assert marked(b_q="768").misconceptions == ()


def test_words_about_a_wrong_shape_hold_what_was_typed_and_never_the_answer():
    text = marked(Q="S").findings[0].text.en
    assert text.startswith("The shape of $Q$ is not $[S]$. Write down the shape of each array in $W_{q} X + b_{q}$")
    assert "64" not in text
    assert marked(b_q="1×64").findings[0].text.en.startswith("The shape of $b_{q}$ is not $[1, 64]$.")


def test_a_shape_left_blank_is_not_wrong_but_earns_nothing():
    mark = mark_response(ITEM, {}, {"fields": {"Q": "64×S", "b_q": " "}})
    assert (mark.score, mark.findings) == (Decimal("1.50"), ())
    assert [field.state for field in mark.fields].count(FieldState.BLANK) == 3


def test_a_list_of_json_is_read_as_it_would_be_written():
    assert mark_response(ITEM, {}, {"fields": {"Q": [64, "S"], "b_q": [64]}}).score == Decimal("3.00")


@pytest.mark.parametrize(
    "response",
    [
        {},
        {"fields": []},
        {"fields": {}},
        {"fields": {"Q": "", "b_q": " "}},
        {"fields": {"X": "64"}},
        {"fields": {"Q": 64}},
        {"fields": {"Q": [["64"]]}},
        {"fields": {"Q": [True]}},
    ],
)
def test_what_is_no_response_is_refused(response):
    with pytest.raises(ResponseError):
        mark_response(ITEM, {}, response)


def test_every_box_that_is_not_understood_is_told():
    with pytest.raises(ResponseError) as refused:
        marked(Q="(64", b_q="n")
    assert {problem.field for problem in refused.value.problems} == {"Q", "b_q"}


def test_shapes_given_are_shown_and_shapes_asked_are_not():
    shown = present(ITEM, draw_variant(ITEM, 5))
    assert [(given.name, given.tex, given.values) for given in shown.givens] == [
        ("X", r"X : \; [768, S]", [768, "S"]),
        ("W_k", r"W_{k} : \; [64, 768]", [64, 768]),
    ]
    fewer = samples.item(kind_samples.SHAPE.replace("[given]", 'show = ["X"]\n[given]'))
    assert [given.name for given in present(fewer, {}).givens] == ["X"]
    assert [(field.name, field.tex) for field in shown.fields] == [
        ("W_q", "W_{q}"),
        ("b_q", "b_{q}"),
        ("Q", "Q = W_{q} X + b_{q}"),
        ("logits", r"s = Q^{\top} K"),
    ]
