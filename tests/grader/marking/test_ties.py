"""Numbers on which the largest weights tie: what is not a choice of the largest is not called one."""

from __future__ import annotations

import numpy as np
import pytest

from grader.marking.judge import mark_response
from tests.grader import samples

NAIVE = (
    samples.HEAD
    + """
slug = "naive"
kind = "numeric"
convention = "row"
max_score = 3
sizes = { S = 3, d = 2 }
[given]
X = { shape = ["S", "d"], draw = [-1, -0.5, 0.5, 2, 1.5, 1] }
[steps]
logits = "dot_logits(X, X)"
attn_weights = "softmax(logits)"
context = "mix(attn_weights, X)"
[ask]
logits = { decimals = 2, rows = [0] }
attn_weights = { decimals = 3, rows = [0] }
context = { decimals = 2, rows = [0] }
"""
)
# x_1 · x_1 = x_1 · x_3 = 0.5 and x_1 · x_2 = −0.25: the first and the third token tie.
X = np.array([[0.5, -0.5], [-1, -0.5], [1.5, 0.5]])
TIED = {"seed": 0, "values": {"X": X.tolist()}}
LOGITS, WEIGHTS = [["0.50", "-0.25", "0.50"]], [["0.404", "0.191", "0.404"]]


def named(context: np.ndarray, **earlier: list[list[str]]) -> tuple[str, ...]:
    fields = {**earlier, "context": [[f"{number:.2f}" for number in context]]}
    return mark_response(samples.item(NAIVE), TIED, {"fields": fields}).misconceptions


ANSWERS = [
    (X.mean(axis=0), ("mix_ignores_weights",)),
    (X.sum(axis=0), ("mix_ignores_weights",)),
    (np.array([0.5, -0.25, 0.5]) @ X, ("wrong_vector",)),
    (np.array([0.3, 0.5]), ()),
    (X[0], ("mix_best_only",)),
]


@pytest.mark.parametrize(("context", "slugs"), ANSWERS)
def test_on_a_tie_every_wrong_answer_keeps_its_own_name(context: np.ndarray, slugs: tuple[str, ...]):
    assert named(context, logits=LOGITS, attn_weights=WEIGHTS) == slugs


@pytest.mark.parametrize("context", [context for context, slugs in ANSWERS if slugs != ("mix_best_only",)])
def test_on_a_tie_an_answer_without_its_steps_is_no_choice_either(context: np.ndarray):
    assert not {"mix_best_only", "softmax_argmax"}.intersection(named(context))


def test_weights_of_ones_own_that_tie_are_no_reason_to_see_a_choice():
    own = [["0.400", "0.200", "0.400"]]
    assert named(np.array([0.4, 0.4, 0.4]) @ X, logits=LOGITS, attn_weights=own) == ()
    assert named(X[0], logits=LOGITS, attn_weights=own) == ("mix_best_only",)


def test_scores_of_ones_own_that_tie_are_no_reason_to_see_a_choice():
    tied = [["0.50", "0.50", "0.50"]]
    fields = {"logits": tied, "attn_weights": [["0.600", "0.200", "0.200"]]}
    assert "softmax_argmax" not in mark_response(samples.item(NAIVE), TIED, {"fields": fields}).misconceptions
    fields["attn_weights"] = [["1", "0", "0"]]
    assert "softmax_argmax" in mark_response(samples.item(NAIVE), TIED, {"fields": fields}).misconceptions


def test_of_two_mistakes_that_fit_the_nearest_is_named():
    # The scores are 1.25, −0.75 and −1.25: their plain shares are −1.667, 1 and 1.667, where a hundredth of rounding moves
    # them by 0.03. Powers with the signs of their scores give −e^½, 1 and e^½ as shares.
    variant = {"seed": 100, "values": {"X": [[-1, 0.5], [1.5, 1.5], [1.5, 0.5]]}}
    logits = [["1.25", "-0.75", "-1.25"]]
    for typed, slug in (
        (["-1.649", "1", "1.649"], "softmax_negative_powers"),
        (["-1.667", "1", "1.667"], "softmax_linear_share"),
    ):
        fields = {"logits": logits, "attn_weights": [typed]}
        assert mark_response(samples.item(NAIVE), variant, {"fields": fields}).misconceptions == (slug,)
