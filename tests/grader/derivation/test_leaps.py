"""Mistakes whose outcome leaps: near a tie or a zero no seed is issued, and no tolerance holds the leap."""

from __future__ import annotations

import numpy as np
import pytest

from grader.derivation.graph import Ask, Derivation, Given, Step, parse_step
from grader.derivation.slips import Slip, slips_of
from grader.derivation.tolerance import half_unit, tolerances
from grader.derivation.variants import is_separable, leaping_slip, separable_variant
from tests.grader import samples

NUMBERS = (-1.0, -0.5, 0.5, 1.0, 1.5, 2.0)


def derivation(givens: dict[str, tuple[str, ...]], steps: dict[str, str], asks: tuple[Ask, ...]) -> Derivation:
    read: list[Step] = []
    for name, text in steps.items():
        read.append(parse_step(name, text, [*givens, *(step.name for step in read)]))
    drawn = tuple(Given(name, shape, NUMBERS) for name, shape in givens.items())
    return Derivation(drawn, tuple(read), asks, (("S", 3), ("d", 2)))


ROW = derivation({"logits": ("S",)}, {"attn_weights": "softmax(logits)"}, (Ask("attn_weights", 3),))
CAUSAL = derivation({"logits": ("S", "S")}, {"attn_weights": "causal_softmax(logits)"}, (Ask("attn_weights", 3),))
MASKED = derivation({"logits": ("S", "S")}, {"attn_weights": "masked_softmax(logits)"}, (Ask("attn_weights", 3),))
MIXED = derivation({"a": ("S",), "V": ("S", "d")}, {"context": "mix(a, V)"}, (Ask("context", 2),))
COLUMNS = derivation({"V": ("d", "S"), "a": ("S", "S")}, {"context": "mix_columns(V, a)"}, (Ask("context", 2),))
WEIGHED = derivation(
    {"logits": ("S",), "V": ("S", "d")},
    {"attn_weights": "softmax(logits)", "context": "mix(attn_weights, V)"},
    (Ask("attn_weights", 3), Ask("context", 2)),
)
# The first token asks: what the others' rows do is no matter.
NAIVE = derivation(
    {"X": ("S", "d")},
    {"logits": "dot_logits(X, X)", "attn_weights": "softmax(logits)", "context": "mix(attn_weights, X)"},
    (Ask("logits", 2, rows=(0,)), Ask("attn_weights", 3, rows=(0,)), Ask("context", 2, rows=(0,))),
)
VALUES = np.array([[4.0, 0], [8, 12], [-3, 5]])
TWO_LARGEST = [[0.5, 2, 2], [1, 0.5, -1], [1, 1.5, 0.5]]


def leaping(computation: Derivation, **given: object) -> str:
    """The name of the slip that is about to leap on these numbers, if there is one."""
    givens = {name: np.array(value, dtype=float) for name, value in given.items()}
    right = computation.evaluate(givens)
    found = leaping_slip(computation, givens, right, tolerances(computation, givens, values=right))
    return found.slug if found else ""


def slip(computation: Derivation, slug: str) -> Slip:
    return next(found for found in slips_of(computation) if found.slug == slug)


@pytest.mark.parametrize(
    ("computation", "given", "slug"),
    [
        (ROW, {"logits": [2, 0.5, 2]}, "softmax_argmax"),
        # Numbers that are given are copied as they are: the larger is the larger, and a zero is no negative number.
        (ROW, {"logits": [2, 0.5, 1.999]}, ""),
        (ROW, {"logits": [-1, 0.5, 0.502]}, ""),
        (ROW, {"logits": [2, 0, -1.5]}, ""),
        # A thousandth more, and the power is larger than a float can be.
        (ROW, {"logits": [709.782712, -1, 2]}, "softmax_negative_powers"),
        (CAUSAL, {"logits": [[1, 2, 2], [1, 1, 0.5], [2, 1, 0.5]]}, "softmax_argmax"),
        (CAUSAL, {"logits": [[1, 1, 1], [1, 2, 2], [2, 1, 0.5]]}, ""),
        (MASKED, {"logits": TWO_LARGEST}, "softmax_argmax"),
        (MIXED, {"a": [0.4, 0.2, 0.4], "V": VALUES}, "mix_best_only"),
        (MIXED, {"a": [0.5, 0.2, 0.3], "V": VALUES}, ""),
        # The weights of 1 and 0.9995 differ by 0.0002, which no three decimals show.
        (WEIGHED, {"logits": [1, 0.9995, 0], "V": VALUES}, "mix_best_only"),
        (WEIGHED, {"logits": [1, 0.95, 0], "V": VALUES}, ""),
        # Whichever of two equal values is chosen, the outcome is one and the same.
        (MIXED, {"a": [0.4, 0.2, 0.4], "V": VALUES[[0, 1, 0]]}, ""),
        (COLUMNS, {"V": VALUES.T, "a": TWO_LARGEST}, "mix_best_only"),
        (NAIVE, {"X": [[0.5, -0.5], [-1, -0.5], [1.5, 0.5]]}, "softmax_argmax"),
        (NAIVE, {"X": [[1, 0], [0.999, 0.5], [0.5, 1]]}, "softmax_argmax"),
        # The scores are 1, −1.001 and 0.0005: a sum of −0.0005, of which rounding leaves anything.
        (NAIVE, {"X": [[1, 0], [-1.001, 0.5], [0.0005, 1]]}, "softmax_linear_share"),
        (NAIVE, {"X": [[1, 0], [-0.001, 0.5], [0.5, 1]]}, "softmax_negative_powers"),
        (NAIVE, {"X": [[2, 0.5], [-1, 0.5], [0.5, 1]]}, ""),
    ],
)
def test_numbers_near_a_tie_or_a_zero_are_found(computation: Derivation, given: dict[str, object], slug: str):
    assert leaping(computation, **given) == slug


@pytest.mark.parametrize(
    "computation",
    [
        ROW,
        CAUSAL,
        MASKED,
        MIXED,
        COLUMNS,
        NAIVE,
        samples.item(samples.WEIGHTS).derivation,
        samples.item(samples.CHAIN).derivation,
    ],
)
def test_no_seed_with_a_leap_is_issued(computation: Derivation):
    for seed in range(0, 1_000, 50):
        givens = separable_variant(computation, seed).givens
        assert leaping(computation, **givens) == ""


def test_a_tie_alone_makes_a_seed_inseparable():
    tied = {"a": np.array([0.4, 0.1, 0.4]), "V": VALUES}
    assert not is_separable(MIXED, tied)
    assert is_separable(MIXED, {**tied, "a": np.array([0.5, 0.1, 0.4])})


@pytest.mark.parametrize(
    ("computation", "given", "slug", "step"),
    [
        (NAIVE, {"X": [[0.5, -0.5], [-1, -0.5], [1.5, 0.5]]}, "mix_best_only", "context"),
        (NAIVE, {"X": [[0.5, -0.5], [-1, -0.5], [1.5, 0.5]]}, "softmax_argmax", "attn_weights"),
        (NAIVE, {"X": [[1, 1], [1, 1], [1, 1]]}, "mix_best_only", "context"),
    ],
)
def test_on_a_tie_the_tolerance_of_a_choice_is_that_of_what_was_chosen(
    computation: Derivation, given: dict[str, object], slug: str, step: str
):
    givens = {name: np.array(value, dtype=float) for name, value in given.items()}
    wrong = slip(computation, slug).put_into(computation)
    ask = next(ask for ask in computation.asks if ask.name == step)

    allowed = tolerances(wrong, givens)[step]

    assert np.allclose(allowed, half_unit(ask), atol=1e-6)


def test_away_from_leaps_a_slip_gets_the_tolerance_that_rounding_needs():
    wrong = slip(NAIVE, "softmax_linear_share").put_into(NAIVE)
    givens = {"X": np.array([[2.0, 0.5], [-1, 0.5], [0.5, 1]])}
    values = wrong.evaluate(givens)
    logits = values["logits"][0]

    allowed = tolerances(wrong, givens)["attn_weights"][0]

    # The share of one score moves by half a unit times (1 − share) / Σ, of every other by its share / Σ.
    share, total = values["attn_weights"][0], logits.sum()
    expected = 0.0005 + 0.005 * (np.abs(1 - share) + 2 * np.abs(share)) / abs(total)
    assert np.allclose(allowed, expected, rtol=0.01)
