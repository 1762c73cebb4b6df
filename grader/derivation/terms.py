"""What one cell is made of: the products that a learner adds up by hand.

Every sum of products of the core is written here once more, as pairs of factors along a last axis: their products are
the terms, and the sum of the terms is the cell. A bias is a factor of 1.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from grader.attention.projection import Array
from grader.derivation.graph import Step, Values

Factors = tuple[Array, Array]


def rows_factors(X: Array, W: Array, b: Array | None = None) -> Factors:
    """x_m and W_mk for every m, then b_k and 1: (..., d) -> (..., d_k, d + 1)."""
    left, right = np.broadcast_arrays(X[..., None, :], W.T)  # (..., d_k, d)
    if b is None:
        return left, right
    biases = np.broadcast_to(b[:, None], (*left.shape[:-1], 1))
    return np.concatenate([left, biases], axis=-1), np.concatenate([right, np.ones_like(biases)], axis=-1)


def columns_factors(W: Array, X: Array, b: Array | None = None) -> Factors:
    """W_km and x_m for every m, then 1 and b_k: (d, S) -> (d_k, S, d + 1), or (d,) -> (d_k, d + 1)."""
    x_first, w_second = rows_factors(X.T, W.T, b)
    if X.ndim == 1:
        return w_second, x_first
    return np.swapaxes(w_second, 0, 1), np.swapaxes(x_first, 0, 1)


def logits_factors(Q: Array, K: Array) -> Factors:
    """q_m and k_m for every query, key and m: (S_q, S_k, d_k), or for one query (S_k, d_k)."""
    left, right = np.broadcast_arrays(Q[..., None, :], K)
    return left, right


def logits_columns_factors(Q: Array, K: Array) -> Factors:
    """The same in the column convention."""
    return logits_factors(Q.T, K.T)


def mix_factors(attn_weights: Array, V: Array) -> Factors:
    """a_j and v_jk for every key j: (S_q, d_v, S_k), or for one query (d_v, S_k)."""
    left, right = np.broadcast_arrays(attn_weights[..., None, :], V.T)
    return left, right


def mix_columns_factors(V: Array, attn_weights: Array) -> Factors:
    """The same in the column convention, values first: (d_v, S_q, S_k)."""
    shares, values = mix_factors(attn_weights, V.T)
    return np.swapaxes(values, 0, 1), np.swapaxes(shares, 0, 1)


FACTORS: dict[str, Callable[..., Factors]] = {
    "project_rows": rows_factors,
    "project_columns": columns_factors,
    "dot_logits": logits_factors,
    "dot_logits_columns": logits_columns_factors,
    "mix": mix_factors,
    "mix_columns": mix_columns_factors,
}


def factors_of(step: Step, values: Values) -> Factors | None:
    """The factors of every cell along a last axis; None for a step that is no sum of products."""
    factors = FACTORS.get(step.operation.name)
    return None if factors is None else factors(*(values[name] for name in step.arguments))


def terms_of(step: Step, values: Values) -> Array | None:
    """The terms of every cell along a last axis; None for a step that is no sum of products."""
    factors = factors_of(step, values)
    return None if factors is None else factors[0] * factors[1]
