"""Slips of a dot product: queries and keys exchanged, sums for products, signs that got lost."""

from __future__ import annotations

import numpy as np

from grader.attention.attention import dot_logits, dot_logits_columns
from grader.attention.projection import Array
from grader.derivation.slips.wrong_forward import WrongForward


def transposed(Q: Array, K: Array) -> Array:
    """k_i · q_j in the place of q_i · k_j."""
    return np.swapaxes(dot_logits(Q, K), -1, -2)


def added(Q: Array, K: Array) -> Array:
    """Σ_m (q_m + k_m): what should be multiplied is added."""
    queries, keys = _in_pairs(Q, K)
    sums: Array = np.sum(queries + keys, axis=-1)
    return sums


def unsigned(Q: Array, K: Array) -> Array:
    """Σ_m |q_m k_m|: every term counts as positive."""
    queries, keys = _in_pairs(Q, K)
    sums: Array = np.sum(np.abs(queries * keys), axis=-1)
    return sums


def columns_transposed(Q: Array, K: Array) -> Array:
    """k_i · q_j in the place of q_i · k_j, in the column convention."""
    return np.swapaxes(dot_logits_columns(Q, K), -1, -2)


def columns_added(Q: Array, K: Array) -> Array:
    """Sums for products, in the column convention."""
    return added(np.swapaxes(Q, -1, -2), np.swapaxes(K, -1, -2))


def columns_unsigned(Q: Array, K: Array) -> Array:
    """Every term positive, in the column convention."""
    return unsigned(np.swapaxes(Q, -1, -2), np.swapaxes(K, -1, -2))


def _in_pairs(Q: Array, K: Array) -> tuple[Array, Array]:
    """q_m and k_m for every query, key and m: (..., S_q, S_k, d_k), or for one query (S_k, d_k)."""
    queries, keys = np.broadcast_arrays(Q[..., None, :], K if Q.ndim == 1 else K[..., None, :, :])
    return queries, keys


ADDED, UNSIGNED = r"\sum_m ({{{0}}}_m + {{{1}}}_m)", r"\sum_m \lvert {{{0}}}_m {{{1}}}_m \rvert"

LOGITS_SLIPS = (
    WrongForward("logits_transposed", "dot_logits_columns", (2,), columns_transposed, r"{1}^{{\top}} {0}"),
    WrongForward("logits_transposed", "dot_logits", (2,), transposed, r"{1} {0}^{{\top}}"),
    WrongForward("logits_added", "dot_logits", (2,), added, ADDED),
    WrongForward("logits_added", "dot_logits_columns", (2,), columns_added, ADDED),
    WrongForward("logits_unsigned", "dot_logits", (2,), unsigned, UNSIGNED),
    WrongForward("logits_unsigned", "dot_logits_columns", (2,), columns_unsigned, UNSIGNED),
)
