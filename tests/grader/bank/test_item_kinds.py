"""Definitions of the kinds shape, match, order and predict, and of policies: read, or refused with the key."""

from __future__ import annotations

import tomllib
from decimal import Decimal

import pytest

from grader.bank.common import parse_policy
from grader.bank.errors import DefinitionError
from grader.bank.items import read_item
from grader.bank.needs import misconceptions_needed
from grader.bank.table import Table
from grader.marking.items import Item, OrderItem
from grader.marking.policy import PRACTICE, Counts, Policy
from tests.grader import samples
from tests.grader.kind_samples import MATCH, ORDER, PREDICT, SHAPE
from tests.grader.samples import CHOICE, CODE, FREE_TEXT

Q_ENTRY = 'key = "Q"\ntext = { zh-hans = "$Q$", en = "$Q$" }\ntarget = "activation"'
TARGET = '[[target]]\nkey = "parameter"\ntext = { zh-hans = "参数", en = "parameter" }\n'
GUESS = 'right = true\nfeedback = { zh-hans = "各有各的投影。", en = "Each has its own projection." }'


def read(toml: str) -> Item:
    return read_item(Table({**tomllib.loads(toml), "misconceptions": {}}))


def changed(toml: str, old: str, new: str) -> str:
    assert old in toml
    return toml.replace(old, new, 1)


BROKEN = [
    (SHAPE, "d_k = 64", "d_k = 0", "sizes.d_k", "from 1 to 1000000"),
    (SHAPE, 'ask = ["W_q"', 'ask = ["W_z"', "ask", "there is no 'W_z'"),
    (SHAPE, 'ask = ["W_q"', 'ask = ["Q"', "ask", "different names"),
    (SHAPE, 'ask = ["W_q", "b_q", "Q", "logits"]', "ask = []", "ask", "different names"),
    (SHAPE, "[given]", 'show = ["Q"]\n[given]', "show", "no given, or is asked"),
    (SHAPE, 'X = { shape = ["d", "S"] }', 'X = { shape = ["d", "S"], draw = [1] }', "given.X.draw", "unknown key"),
    (SHAPE, 'X = { shape = ["d", "S"] }', 'X = { shape = ["S", "d"] }', "steps", "project_columns takes"),
    (MATCH, 'target = "parameter"', 'target = "para"', "entry.0.target", "'para' is no target"),
    (MATCH, TARGET, TARGET + TARGET, "target", "different keys"),
    (MATCH, 'key = "K"', 'key = "Q"', "entry", "different keys"),
    (MATCH, Q_ENTRY, Q_ENTRY.replace("activation", "constant"), "entry.1.wrong", "is the right target"),
    (ORDER, 'key = "scale"', 'key = "q"', "line", "different keys"),
    (ORDER, "after = []", 'after = ["softmax"]', "line.1.after", "no line above"),
    (ORDER, 'code = "Q = X @ W_Q"', "", "line.0.code", "either code or text"),
    (ORDER, "max_score = 5", 'max_score = 5\ncredit = "some"', "credit", "not one of all_or_nothing, subsequence"),
    (
        ORDER,
        'feedback = { zh-hans = "先缩放，再做 softmax", en = "scale first, then softmax" }\n',
        "",
        "line.4.feedback",
        "needs words",
    ),
    (
        ORDER,
        'feedback = { zh-hans = "这一行什么也不算", en = "this line computes nothing" }',
        "",
        "distractor.1.feedback",
        "missing",
    ),
    (PREDICT, "right = true", "right = false", "guess.option", "one option must be right"),
    (PREDICT, "right = false", "right = true", "guess.option", "one option must be right"),
    (PREDICT, GUESS, GUESS + '\nmisconception = "x"', "guess.option", "no misconception"),
    (PREDICT, ", d_k = 2 }", " }", "given.W_Q", "has no size"),
    (CHOICE, "multiple = true", "multiple = false", "option", "2 options are right"),
    (CHOICE, 'key = "b"', 'key = "a"', "option", "different keys"),
    (FREE_TEXT, FREE_TEXT[FREE_TEXT.index("[[criterion]]") :], "", "criterion", "at least one criterion"),
    (CODE, 'parameters = ["x", "W", "b"]', 'parameters = ["x", "W"]', "parameters", "must be the givens: W, b, x"),
    (CODE, 'group = "visible"', 'group = "open"', "case.0.group", "known are visible, hidden"),
    (CODE, "seed = 1\n", "", "case.0.seed", "a visible case has a seed"),
    (CODE, 'group = "visible"\nseed = 1', 'group = "hidden"', "case", "visible and hidden cases are needed"),
    (CODE, 'without = ["b"]', 'without = ["x"]', "case.2.without", "'x' is not optional"),
    (CHOICE, "max_score = 1", "max_score = 1\npolicy = { tries = 0 }", "policy.tries", "1 to 100"),
    (CHOICE, "max_score = 1", "max_score = 1\npolicy = { penalties = [0.5, 0.2] }", "policy.penalties", "none smaller"),
    (CHOICE, "max_score = 1", "max_score = 1\npolicy = { penalties = [0, 1.5] }", "policy.penalties", "from 0 to 1"),
    (
        CHOICE,
        "max_score = 1",
        "max_score = 1\npolicy = { tries = 1, penalties = [0, 1] }",
        "policy.penalties",
        "only 1",
    ),
    (CHOICE, "max_score = 1", 'max_score = 1\npolicy = { counts = "first" }', "policy.counts", "neither best nor last"),
    (FREE_TEXT, "max_score = 3", "max_score = 3\npolicy = { tries = 3 }", "policy", "unknown key"),
]


@pytest.mark.parametrize(("toml", "old", "new", "key", "reason"), BROKEN)
def test_what_makes_no_item_is_refused_with_its_key(toml, old, new, key, reason):
    with pytest.raises(DefinitionError, match=reason) as refused:
        read(changed(toml, old, new))
    assert ".".join(map(str, refused.value.key)) == key


def test_an_order_needs_a_line_above_another():
    lines = ORDER.replace("after = []\n", "").replace("[[line]]\n", "[[line]]\nafter = []\n")
    with pytest.raises(DefinitionError, match="must stand above another"):
        read(lines)


def test_what_must_stand_above_is_closed_under_and_so_on():
    item = read(changed(ORDER, 'key = "scale"', 'key = "scale"\nafter = ["logits"]'))
    assert isinstance(item, OrderItem)
    assert {line.key: set(line.after) for line in item.lines} == {
        "q": set(),
        "k": set(),
        "logits": {"q", "k"},
        "scale": {"q", "k", "logits"},
        "softmax": {"q", "k", "logits", "scale"},
    }


@pytest.mark.parametrize(
    ("toml", "slugs"),
    [
        (
            SHAPE,
            {
                "heads_multiply_width",
                "shape_transposed",
                "shape_length_in_parameter",
                "shape_keeps_summed",
                "shape_of_other_array",
            },
        ),
        (MATCH, {"activations_are_trained"}),
        (ORDER, {"softmax_before_scale", "scaled_by_width"}),
    ],
)
def test_an_item_carries_the_misconceptions_that_it_can_name(toml, slugs):
    assert set(misconceptions_needed(read(toml))) == slugs


def test_a_prediction_can_name_what_its_numbers_can_name():
    item = read(PREDICT)
    assert misconceptions_needed(item) == misconceptions_needed(item.numeric)


def test_a_policy_is_read_and_practice_is_the_default():
    assert read(CHOICE).policy == PRACTICE == Policy(None, (), Counts.BEST)
    strict = changed(
        CHOICE, "max_score = 1", 'max_score = 1\npolicy = { tries = 3, penalties = [0, 0.25], counts = "last" }'
    )
    assert read(strict).policy == Policy(3, (Decimal(0), Decimal("0.25")), Counts.LAST)
    assert parse_policy({"tries": 2}) == Policy(tries=2)
    assert parse_policy({}) == PRACTICE


def test_samples_are_whole_in_their_json():
    for toml in (SHAPE, MATCH, ORDER, PREDICT):
        assert samples.item(toml).slug == tomllib.loads(toml)["slug"]
