"""Slips and separable variants: every mistake has its own numbers, on every seed that is issued."""

from __future__ import annotations

from dataclasses import replace
from itertools import combinations

import numpy as np
import pytest

from grader.derivation.convention import twin
from grader.derivation.graph import Ask, Derivation
from grader.derivation.slips import WRONG_FORWARDS, before, outcome, slip_pairs, slips_of
from grader.derivation.tolerance import tolerances
from grader.derivation.typeset import letters
from grader.derivation.variants import (
    SEPARATION,
    NoSeparableVariantError,
    draw,
    is_separable,
    separable_variant,
    slip_classes,
)
from grader.marking.items import CodeItem
from tests.grader import code_samples, samples

ITEMS = [samples.QKV, samples.WEIGHTS, samples.COLUMNS]


def derivation_of(toml: str) -> Derivation:
    return samples.item(toml).derivation


def slugs(derivation: Derivation) -> set[str]:
    return {slip.slug for slip in slip_classes(derivation)}


def test_role_swaps_come_from_the_shapes():
    found = {(slip.wrong.name, slip.swap) for slip in slips_of(derivation_of(samples.QKV)) if slip.swap}

    matrices = ("W_Q", "W_K", "W_V")
    expected = {
        (step, f"{used} for {asked}")
        for step, asked in zip("qkv", matrices, strict=True)
        for used in matrices
        if used != asked
    }
    # With d = d_k in letters still apart, x never stands in for q or k; a step of the same shape as another may.
    assert found == expected


def test_the_slips_of_a_biased_projection_have_the_values_of_their_formulas():
    derivation = derivation_of(samples.COLUMNS)
    W, X, b = np.array([[1.0, 2], [0, 1]]), np.array([[1.0, 2], [3, 4]]), np.array([10.0, 20])
    givens = {"W_q": W, "X": X, "b_q": b}

    found = {slip.slug: outcome(derivation, slip, givens)["Q"].tolist() for slip in slips_of(derivation)}

    assert found == {
        "w_transposed": [[11, 12], [25, 28]],
        "projection_ignores_input": [[13, 13], [21, 21]],
        "projection_skipped": [[1, 2], [3, 4]],
        "bias_dropped": [[7, 10], [3, 4]],
        "bias_twice": [[27, 30], [43, 44]],
        "bias_per_term": [[27, 30], [43, 44]],  # two terms here
        "bias_before_product": [[57, 60], [23, 24]],
        "bias_wrong_axis": [[17, 30], [13, 24]],
    }


def test_the_slips_of_softmax_have_the_values_of_their_formulas():
    derivation = derivation_of(samples.WEIGHTS)
    Q, K = np.array([[1.0, 0], [0, 1], [1, 1]]), np.array([[0.0, 0], [1, 0], [0, 2]])
    # Q Kᵀ = [[0, 1, 0], [0, 0, 2], [0, 1, 2]]; all values are of its second row.
    e = np.e

    found = {
        (slip.slug, slip.swap): outcome(derivation, slip, {"Q": Q, "K": K})["attn_weights"][1]
        for slip in slips_of(derivation)
        if slip.wrong.name == "attn_weights" and slip.slug != "softmax_negative_powers"
    }

    total = 5 + 2 * e + 2 * e**2  # five e^0, two e^1, two e^2
    expected = {
        ("softmax_down_columns", ""): [1 / 3, 1 / (1 + 2 * e), e**2 / (1 + 2 * e**2)],
        ("softmax_over_all", ""): [1 / total, 1 / total, e**2 / total],
        ("softmax_no_normaliser", ""): [1, 1, e**2],
        ("softmax_linear_share", ""): [0, 0, 1],
        ("softmax_argmax", ""): [0, 0, 1],
        ("stopped_early", ""): [0, 0, 2],
        ("mask_unasked", ""): [1 / (1 + e**2), 0, e**2 / (1 + e**2)],
    }
    assert found.keys() == expected.keys()
    for key, values in expected.items():
        assert np.allclose(found[key], values), key


@pytest.mark.parametrize("toml", ITEMS)
def test_on_every_issued_seed_all_mistakes_lie_apart(toml):
    derivation = derivation_of(toml)
    for seed in range(0, 2_000, 100):
        variant = separable_variant(derivation, seed)
        allowed = tolerances(derivation, variant.givens)
        outcomes = [derivation.evaluate(variant.givens)]
        outcomes += [outcome(derivation, slip, variant.givens) for slip in slip_classes(derivation)]
        for one, other in combinations([values for values in outcomes if values], 2):
            gaps = [
                np.abs(ask.pick(one[ask.name]) - ask.pick(other[ask.name])) / allowed[ask.name]
                for ask in derivation.asks
            ]
            assert max(gap.max() for gap in gaps) >= SEPARATION


def test_every_slip_of_a_family_is_told_apart_somewhere():
    left_out = {"projection_ignores_input", "projection_skipped"}
    assert slugs(derivation_of(samples.QKV)) == {"wrong_matrix", "w_transposed", *left_out}
    assert slugs(derivation_of(samples.COLUMNS)) == {
        *left_out,
        "w_transposed",
        "bias_dropped",
        "bias_twice",
        "bias_before_product",
        "bias_wrong_axis",
    }
    assert slugs(derivation_of(samples.WEIGHTS)) == {
        "logits_transposed",
        "logits_added",
        "logits_unsigned",
        "scale_unasked",
        "mask_unasked",
        "softmax_negative_powers",
        "softmax_down_columns",
        "softmax_over_all",
        "softmax_no_normaliser",
        "softmax_linear_share",
        "softmax_argmax",
        "stopped_early",
        "wrong_vector",
    }


def test_two_names_for_one_computation_are_one_class():
    # For one token x there is no other way to tell "W_K in q's step" than by q itself; K for Q and Q for K differ.
    derivation = derivation_of(samples.WEIGHTS)

    swaps = [slip.swap for slip in slip_classes(derivation) if slip.slug == "wrong_vector"]

    assert swaps == ["K for Q", "Q for K"]


@pytest.mark.parametrize("toml", ITEMS)
def test_a_variant_depends_on_its_seed_alone(toml):
    derivation = derivation_of(toml)

    again = separable_variant(derivation, 42)

    assert separable_variant(derivation, 42).seed == again.seed
    assert all((draw(derivation, again.seed)[name] == value).all() for name, value in again.givens.items())
    assert any((draw(derivation, 1)[name] != draw(derivation, 2)[name]).any() for name in again.givens)


def test_a_draw_that_hides_every_mistake_is_refused():
    blind = samples.QKV.replace("draw = [-1, -0.5, 0, 0.5, 1, 2]", "draw = [1]")

    with pytest.raises(NoSeparableVariantError):
        separable_variant(derivation_of(blind), 0)


def test_a_symmetric_matrix_is_no_variant_since_it_hides_the_transposed_one():
    derivation = derivation_of(samples.QKV)
    givens = separable_variant(derivation, 0).givens
    assert is_separable(derivation, givens)

    symmetric = {**givens, "W_Q": np.array([[1.0, 2], [2, 1]])}

    assert not is_separable(derivation, symmetric)


def test_a_pair_begins_with_its_earlier_step_and_is_more_than_one_of_the_two():
    derivation = derivation_of(samples.QKV)
    order = [step.name for step in derivation.steps]
    givens = separable_variant(derivation, 0).givens
    right = derivation.evaluate(givens)
    pairs = slip_pairs(derivation)

    assert pairs
    for first, second in pairs:
        assert order.index(first.wrong.name) <= order.index(second.wrong.name)
        both = outcome(derivation.with_step(first.wrong), second, givens, known=before(derivation, first, right))
        for name in {first.wrong.name, second.wrong.name}:
            assert (both[name] != right[name]).any()


X, K = np.array([[1.0, 2], [3, 4]]), np.array([[1.0, 0, 2], [0, 1, 2]])
W, Y = np.array([[1.0, 2, 3], [2, -1, 2]]), np.array([[1.0, 2], [5, 1]])
SHARES, V = np.array([[0.25, 0.75], [0.5, 0.5]]), np.array([[4.0, 0], [8, 12]])
MASK, LOGS = np.array([[1.0, 0], [0, 0]]), np.log(np.array([[1.0, 3], [1, 1]]))
# Two tokens, two heads of width 1, queries of 0: every head takes the mean of its values.
TWO_HEADS = (np.zeros((2, 2)), np.ones((2, 2)), np.array([[1.0, 5], [3, 7]]))
# One query, two keys: k_1 = (0, 0), k_2 = (ln 3, ln 7) with heads of width 1.
UNLIKE_HEADS = (np.ones((1, 2)), np.array([[0, 0], np.log([3, 7])]), np.array([[4.0, 16], [8, 8]]))
BY_FORMULA = [
    ("scale_missing", "scale_logits", (X, K), X),
    ("scale_by_width", "scale_logits", (X, K), X / 3),
    ("scale_by_length", "scale_logits", (X, K), X / np.sqrt(2)),
    ("scale_multiplied", "scale_logits", (X, K), X * np.sqrt(3)),
    ("scale_multiplied", "scale_logits_columns", (X, K.T), X * np.sqrt(3)),
    ("scale_missing", "scale_logits_columns", (X, K.T), X),
    ("scale_by_width", "scale_logits_columns", (X, K.T), X / 3),
    ("scale_by_length", "scale_logits_columns", (X, K.T), X / np.sqrt(2)),
    ("mask_after_softmax", "causal_softmax", (np.zeros((2, 2)),), [[0.5, 0], [0.5, 0.5]]),
    ("mask_with_zero", "causal_softmax", (np.array([[np.log(3), 9], [0, 0]]),), [[0.75, 0.25], [0.5, 0.5]]),
    ("mask_wrong_triangle", "causal_softmax", (np.zeros((2, 2)),), [[0.5, 0.5], [0, 1]]),
    ("mask_forgotten", "causal_softmax", (np.zeros((2, 2)),), [[0.5, 0.5], [0.5, 0.5]]),
    ("projection_ignores_input", "project_rows", (X, W), [[3, 1, 5], [3, 1, 5]]),
    ("projection_ignores_input", "project_rows", (X[0], W, np.ones(3)), [4, 2, 6]),
    ("projection_ignores_input", "project_columns", (W.T, X, np.ones(3)), [[4, 4], [2, 2], [6, 6]]),
    ("projection_skipped", "project_rows", (X, W, np.ones(3)), X),
    ("projection_skipped", "project_columns", (W.T, X), X),
    ("logits_transposed", "dot_logits_columns", (X, X), (X.T @ X).T),
    ("logits_added", "dot_logits", (X, -Y), [[3 - 3, 3 - 6], [7 - 3, 7 - 6]]),
    ("logits_added", "dot_logits", (X[0], -Y), [3 - 3, 3 - 6]),
    ("logits_added", "dot_logits_columns", (X.T, -Y.T), [[0, -3], [4, 1]]),
    ("logits_unsigned", "dot_logits", (X, -Y), [[1 + 4, 5 + 2], [3 + 8, 15 + 4]]),
    ("logits_unsigned", "dot_logits", (X[1], -Y), [11, 19]),
    ("logits_unsigned", "dot_logits_columns", (X.T, -Y.T), [[5, 7], [11, 19]]),
    # ln 4 and ln ½: the power of the second is taken for −e^(ln 2) = −2, or for −½.
    ("softmax_negative_powers", "softmax", (np.log([4.0, 0.5]),), [4 / 2, -2 / 2]),
    ("softmax_negative_powers", "softmax", (np.log([4.0, 0.5]),), [4 / 3.5, -0.5 / 3.5]),
    ("softmax_negative_powers", "softmax", (np.log([4.0, 0.5]),), [4, -2]),
    ("softmax_negative_powers", "softmax", (np.array([0.0, 0]),), [0.5, 0.5]),
    ("softmax_negative_powers", "causal_softmax", (np.log([[0.5, 9], [4, 0.5]]),), [[1, 0], [2, -1]]),
    ("softmax_negative_powers", "causal_softmax", (np.log([[0.5, 9], [4, 0.5]]),), [[1, 0], [8 / 7, -1 / 7]]),
    ("weights_transposed", "mix", (SHARES, V), [[5, 6], [7, 6]]),
    ("mix_best_only", "mix", (SHARES, V), [[8, 12], [4, 0]]),
    ("mix_ignores_weights", "mix", (SHARES, V), [[6, 6], [6, 6]]),
    ("mix_ignores_weights", "mix", (SHARES, V), [[12, 12], [12, 12]]),
    ("weights_transposed", "mix_columns", (V.T, SHARES), [[5, 7], [6, 6]]),
    ("mix_best_only", "mix_columns", (V.T, SHARES), [[8, 4], [12, 0]]),
    ("mask_hides_self", "causal_softmax", (np.zeros((3, 3)),), [[0, 0, 0], [1, 0, 0], [0.5, 0.5, 0]]),
    ("mask_hides_self", "causal_softmax", (LOGS,), [[0.25, 0.75], [1, 0]]),
    ("mask_hides_self", "causal_softmax", (LOGS,), [[0.5, 0.5], [1, 0]]),
    ("mask_empty_row", "masked_softmax", (LOGS[::-1], MASK), [[1, 0], [0.25, 0.75]]),
    ("mask_sees_next", "causal_softmax", (np.zeros((2, 2)),), [[0.5, 0.5], [0.5, 0.5]]),
    ("softmax_down_columns", "causal_softmax", (np.zeros((2, 2)),), [[0.5, 0], [0.5, 1]]),
    ("softmax_no_normaliser", "causal_softmax", (np.zeros((2, 2)),), [[1, 0], [1, 1]]),
    ("softmax_argmax", "causal_softmax", (np.array([[0.0, 9], [1, 0]]),), [[1, 0], [1, 0]]),
    ("mask_after_softmax", "masked_softmax", (np.zeros((2, 2)), MASK), [[0.5, 0], [0, 0]]),
    ("mask_with_zero", "masked_softmax", (np.array([[np.log(3), 9], [1, 2]]), MASK), [[0.75, 0.25], [0.5, 0.5]]),
    ("mask_inverted", "masked_softmax", (np.zeros((2, 2)), MASK), [[0, 1], [0.5, 0.5]]),
    ("mask_forgotten", "masked_softmax", (np.zeros((2, 2)), MASK), [[0.5, 0.5], [0.5, 0.5]]),
    ("softmax_down_columns", "masked_softmax", (np.zeros((2, 2)),), [[0.5, 0.5], [0.5, 0.5]]),
    ("softmax_down_columns", "masked_softmax", (np.zeros((2, 2)), MASK), [[1, 0], [0, 0]]),
    ("softmax_no_normaliser", "masked_softmax", (np.zeros((2, 2)), MASK), [[1, 0], [0, 0]]),
    ("softmax_argmax", "masked_softmax", (np.array([[0.0, 9], [1, 0]]), MASK), [[1, 0], [0, 0]]),
    ("softmax_argmax", "masked_softmax", (np.array([[0.0, 9], [1, 0]]),), [[0, 1], [1, 0]]),
    ("softmax_axis_ignored", "softmax", (LOGS, 0), [[0.25, 0.75], [0.5, 0.5]]),
    ("softmax_axis_ignored", "softmax", (LOGS, 1), [[0.5, 0.75], [0.5, 0.25]]),
    ("softmax_over_all", "softmax", (LOGS, 0), [[1 / 6, 0.5], [1 / 6, 1 / 6]]),
    ("softmax_no_normaliser", "softmax", (LOGS, 0), [[1, 1], [1, 1 / 3]]),
    ("softmax_linear_share", "softmax", (SHARES, 0), [[1 / 3, 0.6], [2 / 3, 0.4]]),
    ("softmax_argmax", "softmax", (SHARES, 0), [[0, 1], [1, 0]]),
    ("heads_split_wrongly", "attend_by_heads", (*TWO_HEADS, 2), [[3, 5], [3, 5]]),
    ("heads_merged_wrongly", "attend_by_heads", (*TWO_HEADS, 2), [[2, 2], [6, 6]]),
    # A quarter to the first of two keys by the first head, an eighth by the second.
    ("heads_share_weights", "attend_by_heads", (*UNLIKE_HEADS, 2), [[0.25 * 4 + 0.75 * 8, 0.25 * 16 + 0.75 * 8]]),
    ("heads_out_of_order", "attend_by_heads", (*TWO_HEADS, 2), [[6, 2], [6, 2]]),
    ("bias_per_term", "project_rows", (X, W, np.ones(3)), X @ W + 2),
    ("bias_per_term", "project_columns", (W.T, X, np.ones(3)), W.T @ X + 2),
    ("mix_ignores_weights", "causal_softmax", (X,), [[1, 0], [0.5, 0.5]]),
    ("mix_ignores_weights", "masked_softmax", (X, MASK), [[1, 0], [0, 0]]),
    ("mix_ignores_weights", "masked_softmax", (X,), [[0.5, 0.5], [0.5, 0.5]]),
    ("mask_added", "masked_softmax", (np.zeros((1, 2)), MASK[:1]), [[np.e / (1 + np.e), 1 / (1 + np.e)]]),
    ("mask_empty_row", "masked_softmax", (X, MASK), [[1, 0], [0.5, 0.5]]),
    ("mask_unasked", "masked_softmax", (LOGS,), [[1, 0], [0.5, 0.5]]),
    ("mask_unasked", "masked_softmax", (LOGS, np.array([[1.0, 1], [0, 1]])), [[1, 0], [0, 1]]),
    ("mask_unasked", "softmax", (LOGS,), [[0, 1], [1, 0]]),
    ("mask_unasked", "softmax", (np.zeros((1, 1)),), [[1]]),
    ("softmax_other_base", "softmax", (np.array([[0.0, 1]]), 1), [[1 / 3, 2 / 3]]),
    ("softmax_logged", "softmax", (LOGS, 1), np.log([[0.25, 0.75], [0.5, 0.5]])),
    ("cache_newest_first", "append_row", (X, np.array([5.0, 6])), [[5, 6], [1, 2], [3, 4]]),
    ("cache_not_extended", "append_row", (X, np.array([5.0, 6])), X),
    ("cache_dropped", "append_row", (X, np.array([5.0, 6])), [[5, 6]]),
    ("cache_newest_first", "append_column", (X, np.array([[5.0], [6]])), [[5, 1, 2], [6, 3, 4]]),
    ("cache_not_extended", "append_column", (X, np.array([[5.0], [6]])), X),
    ("cache_dropped", "append_column", (X, np.array([[5.0], [6]])), [[5], [6]]),
]


@pytest.mark.parametrize(("slug", "operation", "arguments", "expected"), BY_FORMULA)
def test_the_slips_of_scale_mask_and_mixture_have_the_values_of_their_formulas(slug, operation, arguments, expected):
    forwards = [
        wrong.forward
        for wrong in WRONG_FORWARDS
        if (wrong.slug, wrong.operation) == (slug, operation) and len(arguments) in wrong.takes
    ]

    assert any(np.allclose(forward(*arguments), expected) for forward in forwards)


CACHED = code_samples.CACHE


def test_a_token_that_sees_a_part_of_its_cache_keeps_all_of_it():
    derivation = derivation_of(CACHED)
    one = np.ones((1, 1))
    givens = {"x_t": np.ones(1), "K_past": 2 * one, "V_past": 5 * one, "W_Q": one, "W_K": one, "W_V": 3 * one}
    found = {slip.slug: outcome(derivation, slip, givens) for slip in slips_of(derivation) if "_looks_" in slip.slug}

    assert {slug: values["out"].tolist() for slug, values in found.items()} == {
        "cache_looks_back_only": [5],
        "cache_looks_at_itself": [3],
    }
    for values in found.values():
        assert (values["K"].tolist(), values["V"].tolist()) == ([[2], [1]], [[5], [3]])


def test_a_first_token_has_no_past_to_look_at():
    (first,) = (case for case in code_item(CACHED).cases if case.turn and case.turn.is_first)

    assert not [slip for slip in slips_of(first.derivation) if "_looks_" in slip.slug]


def test_an_unasked_scale_takes_the_width_of_the_keys_in_both_conventions():
    rows = derivation_of(samples.WEIGHTS)
    columns = twin(rows)
    for derivation in (rows, columns):
        (slip,) = (slip for slip in slips_of(derivation) if slip.slug == "scale_unasked")
        givens = {given.name: np.full(derivation.size(given), 2.0) for given in derivation.givens}

        assert np.allclose(outcome(derivation, slip, givens)["logits"], 8 / np.sqrt(2))
        assert r"/ \sqrt{d}" in letters(slip.wrong)
    assert "scale_unasked" not in {slip.slug for slip in slips_of(derivation_of(samples.CHAIN))}


def test_a_scale_after_softmax_divides_the_weights_of_unscaled_logits():
    asks_on_the_way = derivation_of(samples.CHAIN)
    derivation = replace(asks_on_the_way, asks=(Ask("context", 3),))
    (slip,) = (slip for slip in slips_of(derivation) if slip.slug == "scale_after_softmax")
    givens = separable_variant(derivation, 0).givens
    values = outcome(derivation, slip, givens)
    right = derivation.evaluate(givens)

    assert np.allclose(values["scaled"], right["logits"])
    assert np.allclose(values["attn_weights"].sum(axis=-1), 1 / np.sqrt(right["K"].shape[-1]))
    assert r"/ \sqrt{d}" in letters(slip.also[0])
    assert "scale_after_softmax" not in {slip.slug for slip in slips_of(asks_on_the_way)}


def code_item(toml: str) -> CodeItem:
    item = samples.item(toml)
    assert isinstance(item, CodeItem)
    return item


def test_rounding_a_step_that_nobody_asks_for_widens_the_tolerance_of_the_mixture():
    derivation = replace(derivation_of(samples.CHAIN), asks=(Ask("context", 3),))
    givens = separable_variant(derivation, 0).givens
    values = derivation.evaluate(givens)

    allowed = tolerances(derivation, givens)["context"]

    # By the formula, for the row of the first token, whose only weight is 1 and is copied by all: 0.0005 (1 + Σ|v_j|).
    # The scaled logits are rounded too, which can only widen it.
    at_least = 0.0005 * (1 + np.abs(values["V"]).sum(axis=0))
    assert (allowed >= at_least - 1e-9).all()
    assert (allowed <= 0.0005 * 60).all()
