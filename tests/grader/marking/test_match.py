from __future__ import annotations

from decimal import Decimal

import pytest

from grader.marking.judge import mark_response
from grader.marking.mark import FieldState
from grader.marking.response import ResponseError
from grader.marking.variants import draw_variant, present
from grader.marking.verdict import Verdict
from tests.grader import kind_samples, samples

ITEM = samples.item(kind_samples.MATCH)
RIGHT = {"W_Q": "parameter", "Q": "activation", "K": "activation", "d_k": "constant"}


def marked(**pairs):
    return mark_response(ITEM, {}, {"pairs": {**RIGHT, **pairs}})


def test_all_pairs_right_is_correct_though_two_share_a_target():
    assert (marked().verdict, marked().score, marked().findings) == (Verdict.CORRECT, Decimal(3), ())


def test_every_right_pair_earns_its_share():
    mark = marked(K="constant", d_k="")
    assert (mark.verdict, mark.score) == (Verdict.PARTIALLY_CORRECT, Decimal("1.50"))
    assert [(field.name, field.state) for field in mark.fields] == [
        ("W_Q", FieldState.RIGHT),
        ("Q", FieldState.RIGHT),
        ("K", FieldState.WRONG),
        ("d_k", FieldState.BLANK),
    ]


def test_a_wrong_pair_names_its_misconception_or_has_its_own_words():
    named, other, silent = marked(Q="parameter"), marked(Q="constant"), marked(K="parameter")
    assert named.misconceptions == ("activations_are_trained",)
    assert [(found.text.en, found.field) for found in named.findings] == [("$Q$ changes with the input", "Q")]
    assert [(found.slug, found.text.en) for found in other.findings] == [("match_wrong", "$Q$ is no constant")]
    assert other.misconceptions == ()
    assert silent.findings == ()


@pytest.mark.parametrize(
    "response",
    [
        {},
        {"pairs": []},
        {"pairs": {}},
        {"pairs": {"Q": ""}},
        {"pairs": {"Z": "parameter"}},
        {"pairs": {"Q": "Z"}},
        {"pairs": {"Q": ["parameter"]}},
    ],
)
def test_what_is_no_response_is_refused(response):
    with pytest.raises(ResponseError):
        mark_response(ITEM, {}, response)


def test_entries_are_shuffled_by_the_seed_and_targets_stay():
    assert len({tuple(draw_variant(ITEM, seed)["order"]) for seed in range(200)}) == 24
    variant = draw_variant(ITEM, 3)
    assert draw_variant(ITEM, 3) == variant
    shown = present(ITEM, variant)
    assert [entry.key for entry in shown.entries] == variant["order"]
    assert [target.key for target in shown.targets] == ["parameter", "activation", "constant"]
