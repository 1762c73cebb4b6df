from __future__ import annotations

import pytest

from grader.gate.conventions import check_conventions, one_sided
from grader.gate.report import Fault

EN = {"zh-hans": "一", "en": "one"}


@pytest.mark.parametrize(
    "markdown",
    [
        "$q = {row: x W_Q | column: W_q x}$",
        "${row: W_Q W_K^\\top | column: W_q^\\top W_k}$",
        "rows give $q = x W_Q$, columns $q = W_q x$",
        "the matrix $W_Q$ and $W_{K}$",
        "$x_i \\cdot x_j$ and $W$",
        "no formula: x W",
    ],
)
def test_what_turns_round_compares_or_has_no_sides_is_in_order(markdown: str) -> None:
    assert list(one_sided(markdown)) == []


@pytest.mark.parametrize(
    ("markdown", "formula"),
    [
        ("$q_i = x_i W_Q$", "$q_i = x_i W_Q$"),
        ("a\n\n$$Q = X\\,W_Q$$", "$$Q = X\\,W_Q$$"),
        ("$W_q X + b_q$", "$W_q X + b_q$"),
        ("$x W + b$", "$x W + b$"),
        ("$W_Q W_K^\\top$", "$W_Q W_K^\\top$"),
        ("$W_q \\ne W_k$", "$W_q \\ne W_k$"),
        ("$q = {row: x W_Q | column: W_q x}$ but $k = x W_K$", "$k = x W_K$"),
    ],
)
def test_a_formula_for_one_convention_alone_is_found(markdown: str, formula: str) -> None:
    assert list(one_sided(markdown)) == [formula]


def test_an_item_that_half_reads_both_ways_is_refused_and_one_that_does_not_is_not() -> None:
    half = {"prompt": {**EN, "en": "{row: rows | column: columns}: $q = x W_Q$"}}

    assert list(check_conventions({"prompt": {**EN, "en": "$q = x W_Q$"}})) == []
    assert list(check_conventions(half)) == [
        Fault(("prompt", "en"), "this reads in one convention alone, and the item in both: $q = x W_Q$")
    ]


def test_a_title_takes_no_side_where_the_item_reads_both_ways() -> None:
    both = {"prompt": {**EN, "en": "{row: rows | column: columns}"}}

    assert list(check_conventions({**both, "title": {**EN, "en": "Softmax of one row"}})) == []
    assert list(check_conventions({"title": {**EN, "en": "In columns: two tokens"}})) == []
    assert list(
        check_conventions({**both, "title": {"zh-hans": "列约定：两个词元", "en": "In columns: two tokens"}})
    ) == [
        Fault(("title", "zh-hans"), "the title names a convention, and the item reads in both: 列约定"),
        Fault(("title", "en"), "the title names a convention, and the item reads in both: In columns"),
    ]
