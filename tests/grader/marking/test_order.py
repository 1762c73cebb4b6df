from __future__ import annotations

from dataclasses import replace
from decimal import Decimal
from itertools import combinations, permutations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from grader.marking.items import OrderItem
from grader.marking.judge import mark_response
from grader.marking.order import is_right_order
from grader.marking.response import ResponseError
from grader.marking.variants import draw_variant, present
from grader.marking.verdict import Verdict
from tests.grader import kind_samples, samples

ITEM = samples.item(kind_samples.ORDER)
BY_LINES = samples.item(kind_samples.ORDER_BY_LINES)
assert isinstance(ITEM, OrderItem)
assert isinstance(BY_LINES, OrderItem)
RIGHT = ["q", "k", "logits", "scale", "softmax"]
STRANGE = ["by-width", "print"]


def marked(order, item=ITEM):
    return mark_response(item, {}, {"order": order})


@pytest.mark.parametrize("order", [RIGHT, ["k", "q", "logits", "scale", "softmax"]])
def test_lines_that_do_not_need_each_other_may_change_places(order):
    mark = marked(order)
    assert (mark.verdict, mark.score, mark.findings) == (Verdict.CORRECT, Decimal(5), ())


@pytest.mark.parametrize("order", [RIGHT[1:], RIGHT[::-1], [*RIGHT, "print"], ["print"]])
def test_anything_else_earns_nothing(order):
    assert (marked(order).verdict, marked(order).score) == (Verdict.INCORRECT, Decimal(0))


@pytest.mark.parametrize(
    ("order", "score"),
    [
        (["q", "k", "scale", "logits", "softmax"], 4),
        (["softmax", "q", "k", "logits", "scale"], 4),
        (["k", "q", "softmax", "scale", "logits"], 3),
        (["q", "k"], 2),
        (["q", "k", "logits", "scale", "softmax", "print"], 4),
        (["print", "by-width"], 0),
        (RIGHT[::-1], 2),
        (RIGHT, 5),
    ],
)
def test_lines_that_need_not_move_earn_their_share_where_the_item_says_so(order, score):
    assert marked(order, BY_LINES).score == score


def test_the_first_line_that_comes_too_early_is_told():
    mark = marked(["q", "logits", "k", "softmax", "scale"])
    assert [(found.slug, found.title.en) for found in mark.findings] == [("order_too_early", "`logits = Q @ K.T`")]
    assert "above it stands below" in mark.findings[0].text.en


def test_a_line_that_comes_too_early_names_its_misconception():
    mark = marked(["q", "k", "logits", "softmax", "scale"])
    assert mark.misconceptions == ("softmax_before_scale",)
    assert [found.text.en for found in mark.findings] == ["scale first, then softmax"]


def test_a_distractor_names_its_misconception_or_has_its_own_words():
    mark = marked(["q", "k", "logits", "print", "by-width", "scale", "softmax"])
    assert mark.misconceptions == ("scaled_by_width",)
    assert [(found.slug, found.text.en) for found in mark.findings] == [
        ("order_distractor", "this line computes nothing"),
        ("scaled_by_width", "the divisor is $\\sqrt{d_k}$"),
    ]


def test_missing_lines_are_counted_but_not_named():
    mark = marked(["logits", "softmax"])
    assert [(found.slug, found.text.en) for found in mark.findings] == [("order_missing", "Lines still missing: 3.")]


@pytest.mark.parametrize(
    "response",
    [
        {},
        {"order": []},
        {"order": "q"},
        {"order": ["q", "z"]},
        {"order": ["q", "q"]},
        {"order": [["q", "k"], "logits"]},
        {"order": [1]},
    ],
)
def test_what_is_no_order_is_refused(response):
    with pytest.raises(ResponseError):
        mark_response(ITEM, {}, response)


def test_lines_are_shown_in_an_order_that_is_not_right_yet():
    orders = [draw_variant(ITEM, seed)["order"] for seed in range(300)]
    assert len({tuple(order) for order in orders}) > 200
    assert not any(is_right_order(ITEM, order) for order in orders)
    assert draw_variant(ITEM, 7) == draw_variant(ITEM, 7)
    assert [line.key for line in present(ITEM, {"order": orders[0]}).lines] == orders[0]


@given(st.permutations(ITEM.lines), st.integers(0, 2**53))
def test_who_knows_the_seed_learns_nothing_of_the_right_order(lines, seed):
    free = [replace(line, after=frozenset()) for line in lines]
    one, other = (draw_variant(replace(ITEM, lines=tuple(order)), seed)["order"] for order in (free, free[::-1]))
    assert one == other


def most_kept(order: list[str]) -> int:
    """The slow witness: the longest common subsequence with any right order, by trying them all."""
    right = [keys for keys in permutations(RIGHT) if is_right_order(ITEM, keys)]
    for size in range(len(order), 0, -1):
        for kept in combinations([key for key in order if key in RIGHT], size):
            if any(tuple(key for key in keys if key in kept) == kept for keys in right):
                return size
    return 0


@given(st.permutations([*RIGHT, *STRANGE]), st.integers(1, 7))
def test_credit_by_lines_is_the_longest_common_subsequence_less_the_distractors(order, length):
    order = order[:length]
    strange = len([key for key in order if key in STRANGE])
    assert marked(order, BY_LINES).score == max(0, most_kept(order) - strange)


@given(st.permutations(RIGHT))
def test_full_credit_is_for_right_orders_alone(order):
    assert (marked(order).verdict is Verdict.CORRECT) == (
        order.index("k") < 2 and order.index("q") < 2 and order[2:] == RIGHT[2:]
    )
