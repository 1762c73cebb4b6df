"""Attention in the row convention: who looks at whom, and what is carried back."""

from __future__ import annotations

import numpy as np

from grader.attention.projection import Array


def dot_logits(Q: Array, K: Array) -> Array:
    """The products q · k for every query with every key, not scaled.

    Q is (d_k,) for one query or (..., S_q, d_k); K is (..., S_k, d_k). Returns (S_k,) or (..., S_q, S_k): entry (i, j)
    says how well query i fits key j.
    """
    return Q @ np.swapaxes(K, -1, -2)  # (..., S_q, S_k)


def mix(attn_weights: Array, V: Array) -> Array:
    """Σ_j a_ij v_j: each query's share of every value.

    attn_weights is (S_k,) or (..., S_q, S_k); V is (..., S_k, d_v). Returns (d_v,) or (..., S_q, d_v).
    """
    return attn_weights @ V  # (..., S_q, d_v)
