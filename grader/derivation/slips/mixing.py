"""Slips of mixing: the weights read the other way round, or not used as shares at all."""

from __future__ import annotations

import numpy as np

from grader.attention.attention import mix, mix_columns
from grader.attention.projection import Array
from grader.derivation.slips.weights import argmax
from grader.derivation.slips.wrong_forward import WrongForward


def weights_transposed(attn_weights: Array, V: Array) -> Array:
    """Σ_j a_ji v_j: the shares that others give, instead of those that the query gives."""
    return mix(np.swapaxes(attn_weights, -1, -2), V)


def best_value_only(attn_weights: Array, V: Array) -> Array:
    """The value of the largest weight, as if attention were a choice."""
    return mix(argmax(attn_weights), V)


def plain_mean(attn_weights: Array, V: Array) -> Array:
    """The mean of the values, whatever the weights."""
    return mix(np.full_like(attn_weights, 1 / attn_weights.shape[-1]), V)


def plain_sum(attn_weights: Array, V: Array) -> Array:
    """The sum of the values, whatever the weights."""
    return mix(np.ones_like(attn_weights), V)


def columns_weights_transposed(V: Array, attn_weights: Array) -> Array:
    """V A in the place of V Aᵀ."""
    return mix_columns(V, np.swapaxes(attn_weights, -1, -2))


def columns_best_value_only(V: Array, attn_weights: Array) -> Array:
    """The value of the largest weight, in the column convention."""
    return mix_columns(V, argmax(attn_weights))


MIXING_SLIPS = (
    WrongForward("weights_transposed", "mix", (2,), weights_transposed, r"{0}^{{\top}} {1}"),
    WrongForward("mix_best_only", "mix", (2,), best_value_only, r"\operatorname{{argmax}}({0}) \, {1}", leaps_in=0),
    WrongForward("mix_ignores_weights", "mix", (2,), plain_mean, r"\operatorname{{mean}}({1})"),
    WrongForward("mix_ignores_weights", "mix", (2,), plain_sum, r"\sum_j {1}_{{j}}"),
    WrongForward("weights_transposed", "mix_columns", (2,), columns_weights_transposed, "{0} {1}"),
    WrongForward(
        "mix_best_only",
        "mix_columns",
        (2,),
        columns_best_value_only,
        r"{0} \operatorname{{argmax}}({1})^{{\top}}",
        leaps_in=1,
    ),
)
