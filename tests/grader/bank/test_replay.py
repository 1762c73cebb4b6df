"""A mark given once more from what is stored is the mark that was stored, for every kind that is marked in the request."""

from __future__ import annotations

import json
from dataclasses import replace
from decimal import Decimal

import pytest

from grader.bank import parse_item, replay
from grader.marking.items import ItemKind
from grader.marking.judge import mark_response
from grader.marking.mark import Mark
from grader.marking.variants import draw_variant
from tests.grader import kind_samples, samples

POLICY = {"tries": 3, "penalties": [0, 0.25, 0.5]}
HISTORY = [Decimal("0.50"), Decimal(0)]
RESPONSES = {
    samples.QKV: [{"fields": {"q": [["1", "-2.5"]], "k": [["", ""]], "v": [["1/3", "9"]]}}],
    samples.CHAIN: [{"fields": {"logits": [["1", "2", "3"]] * 3}}],
    samples.CHOICE: [{"chosen": ["a", "c"]}, {"chosen": ["a"]}, {"chosen": ["a", "b"]}],
    kind_samples.SHAPE: [{"fields": {"Q": "S×64", "b_q": "（64）", "logits": "S", "W_q": ""}}],
    kind_samples.MATCH: [{"pairs": {"Q": "parameter", "K": "", "d_k": "constant"}}],
    kind_samples.ORDER: [
        {"order": ["q", "softmax", "k", "print"]},
        {"order": ["q", "k", "logits", "scale", "softmax"]},
    ],
    kind_samples.ORDER_BY_LINES: [{"order": ["q", "by-width", "softmax", "k", "logits"]}],
    kind_samples.LAB: [
        {"guess": "no", "fields": {}},
        {"guess": "yes", "fields": {"W_Q": "0 6; 0 −6", "W_K": [["1", "0"], ["0", "1"]]}},
    ],
    kind_samples.PREDICT: [
        {"guess": "equal", "fields": {"logits": [["1", "2", "3"]]}},
        {"guess": "unequal", "fields": {"logits": [["0", "-2", "1/4"]]}},
    ],
}
CASES = [(toml, response) for toml, responses in RESPONSES.items() for response in responses]


def stored(value: object) -> object:
    """The value as a row of the database gives it back."""
    return json.loads(json.dumps(value))


@pytest.mark.parametrize(("toml", "response"), CASES)
def test_a_stored_mark_is_given_again(toml, response):
    definition = {**samples.definition(toml), "policy": POLICY}
    item = parse_item(definition)
    variant = draw_variant(item, 3)
    mark = mark_response(item, variant, response, HISTORY)

    again = replay(stored(definition), stored(variant), stored(response))

    assert mark == Mark.from_json(stored(mark.to_json()))
    assert again == replace(mark, credit=None)
    assert mark.credit is not None


def test_every_kind_that_is_marked_in_the_request_is_replayed():
    kinds = {samples.item(toml).kind for toml in RESPONSES}
    assert kinds == set(ItemKind) - {ItemKind.CODE, ItemKind.FREE_TEXT}


def test_credit_depends_on_the_tries_before():
    item = parse_item({**samples.definition(samples.CHOICE), "policy": POLICY})
    tried = [[], HISTORY[:1], HISTORY]
    earned = [mark_response(item, {}, {"chosen": ["a", "b"]}, history).credit for history in tried]
    # 1, then 0.50 + 0.50 × 0.75, then 0.50 + 0.50 × 0.50
    assert earned == [Decimal("1.00"), Decimal("0.88"), Decimal("0.75")]


def test_a_mark_from_before_there_was_credit_is_still_read():
    mark = mark_response(samples.item(samples.CHOICE), {}, {"chosen": ["a"]})
    old = {key: value for key, value in mark.to_json().items() if key != "credit"}
    assert Mark.from_json(old) == replace(mark, credit=None)


@pytest.mark.parametrize("toml", [samples.CODE, samples.FREE_TEXT])
def test_what_is_marked_elsewhere_is_not_replayed_here(toml):
    with pytest.raises(TypeError):
        replay(samples.definition(toml), {"seed": 1}, {"code": "x", "text": "x"})
