"""The products and summands that make up one cell of a step: what a learner adds up by hand."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from grader.attention.projection import Array
from grader.derivation.graph import Step, Values


def rows_terms(X: Array, W: Array, b: Array | None = None) -> Array:
    """x_m W_mk for every m, then b_k: (..., d) -> (..., d_k, d + 1)."""
    products = X[..., None, :] * W.T  # (..., d_k, d)
    return products if b is None else _with_bias(products, b)


def columns_terms(W: Array, X: Array, b: Array | None = None) -> Array:
    """W_km x_m for every m, then b_k: (d, S) -> (d_k, S, d + 1), or (d,) -> (d_k, d + 1)."""
    if X.ndim == 1:
        return rows_terms(X, W.T, b)
    return np.swapaxes(rows_terms(X.T, W.T, b), 0, 1)


def logits_terms(Q: Array, K: Array) -> Array:
    """The products q_m k_m for every query, key and m: (S_q, S_k, d_k)."""
    return Q[..., None, :] * K


def logits_columns_terms(Q: Array, K: Array) -> Array:
    """The same in the column convention."""
    return logits_terms(Q.T, K.T)


def mix_terms(attn_weights: Array, V: Array) -> Array:
    """The products a_j v_jk for every key j: (S_q, d_v, S_k)."""
    return attn_weights[..., None, :] * V.T


def mix_columns_terms(V: Array, attn_weights: Array) -> Array:
    """The same in the column convention: (d_v, S_q, S_k)."""
    return np.swapaxes(mix_terms(attn_weights, V.T), 0, 1)


TERMS: dict[str, Callable[..., Array]] = {
    "project_rows": rows_terms,
    "project_columns": columns_terms,
    "dot_logits": logits_terms,
    "dot_logits_columns": logits_columns_terms,
    "mix": mix_terms,
    "mix_columns": mix_columns_terms,
}


def terms_of(step: Step, values: Values) -> Array | None:
    """The summands of every cell along a last axis; None for a step that is no sum of products."""
    terms = TERMS.get(step.operation.name)
    return None if terms is None else terms(*(values[name] for name in step.arguments))


def _with_bias(products: Array, b: Array) -> Array:
    biases = np.broadcast_to(b[:, None], (*products.shape[:-1], 1))
    return np.concatenate([products, biases], axis=-1)
