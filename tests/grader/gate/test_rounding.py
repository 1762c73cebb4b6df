"""Honest rounding must be right, and words and fields must ask for the same decimals."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from grader.derivation.tolerance import half_unit
from grader.gate.numbers import separation
from grader.gate.rounding import check_rounding
from grader.marking import numeric
from grader.marking.text import Text
from tests.grader import samples
from tests.grader.gate import gate_samples


def faults(toml: str, prompt: Text | None = None):
    item = samples.item(toml)
    item = replace(item, prompt=prompt) if prompt else item
    return list(check_rounding(item, separation(item.derivation).variants))


@pytest.mark.parametrize("toml", [samples.QKV, samples.WEIGHTS, samples.COLUMNS, samples.CHAIN])
def test_whoever_rounds_each_asked_step_is_right(toml):
    assert faults(toml) == []


@pytest.mark.parametrize("decimals", range(4))
def test_whoever_rounds_steps_that_nobody_asks_for_is_right_too(decimals):
    assert faults(gate_samples.UNASKED_WEIGHTS.replace("decimals = 3", f"decimals = {decimals}")) == []


def test_a_tolerance_that_forgets_the_rounding_on_the_way_would_be_refused(monkeypatch):
    def half_a_unit_alone(derivation, givens, *, known=None, values=None):
        values = values or derivation.evaluate(givens, known=known)
        return {ask.name: np.full(ask.pick(values[ask.name]).shape, half_unit(ask)) for ask in derivation.asks}

    item = samples.item(gate_samples.UNASKED_WEIGHTS)
    variants = separation(item.derivation).variants
    monkeypatch.setattr(numeric, "tolerances", half_a_unit_alone)

    (fault,) = check_rounding(item, variants)

    assert fault.key == ("ask",)
    assert "whoever rounds scaled to 3 decimals and attn_weights to 3 decimals is wrong on " in fault.reason
    assert "ask for it as well" in fault.reason


def test_a_step_whose_numbers_end_early_is_copied_and_need_not_be_asked():
    assert faults(gate_samples.TWO_NAMES) == []


@pytest.mark.parametrize(
    ("words", "number"),
    [
        (Text("请保留四位小数。", "Give 3 decimals."), 4),
        (Text("精确到小数点后 1 位。", "Give three decimals."), 1),
        (Text("保留 3 位小数。", "Round to FOUR decimals."), 4),
        (Text("保留三位小数。", "Give 1 decimal."), 1),
    ],
)
def test_words_that_name_other_decimals_than_the_field_are_refused(words, number):
    (fault,) = faults(samples.WEIGHTS, words)

    assert fault.key[0] == "prompt"
    assert fault.reason == f"the words ask for {number} decimals, the fields for logits 2, attn_weights 3"


def test_words_may_name_the_decimals_of_each_field():
    words = Text("得分保留两位小数，权重保留 3 位小数。", "Two decimals for the scores, 3 decimals for the weights.")

    assert faults(samples.WEIGHTS, words) == []
