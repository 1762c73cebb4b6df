"""Attention in the row convention: who looks at whom, and what is carried back.

Naive attention lets one vector do every job; the rest of this file gives each job a vector of its own, as in section
3.2.1 of "Attention Is All You Need".
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from grader.attention.projection import Array
from grader.attention.softmax import masked_softmax, softmax

Mask = NDArray[np.bool_]


def dot_logits(Q: Array, K: Array) -> Array:
    """The products q · k for every query with every key, not scaled.

    Q is (d_k,) for one query or (..., S_q, d_k); K is (..., S_k, d_k). Returns (S_k,) or (..., S_q, S_k): entry (i, j)
    says how well query i fits key j.
    """
    return Q @ np.swapaxes(K, -1, -2)  # (..., S_q, S_k)


def scale_logits(logits: Array, K: Array) -> Array:
    """Logits times 1/√d_k, where d_k is the last size of K.

    A sum of d_k products of numbers with variance 1 has variance d_k; the root brings it back to 1, so that softmax
    does not saturate as d_k grows.
    """
    # A Python float, unlike NumPy's, leaves float32 logits what they are.
    return logits * (1 / math.sqrt(K.shape[-1]))


def scale_logits_columns(logits: Array, K: Array) -> Array:
    """The same scale where K is (..., d_k, S_k), each token a column."""
    return scale_logits(logits, np.swapaxes(K, -1, -2))


def causal_mask(S: int, *, past: int = 0) -> Mask:
    """Who may look at whom when nobody sees the future: (S, past + S), True = may look.

    Query i stands at position past + i, and sees that position and all before it.
    """
    return np.tri(S, past + S, past, dtype=bool)


def causal_softmax(logits: Array) -> Array:
    """Softmax over what each query may look at when nobody sees the future.

    Logits are (..., S_q, S_k); with more keys than queries, the queries are the newest tokens. Same shape back.
    """
    S_q, S_k = logits.shape[-2:]
    return masked_softmax(logits, causal_mask(S_q, past=S_k - S_q))  # (..., S_q, S_k)


def mix(attn_weights: Array, V: Array) -> Array:
    """Σ_j a_ij v_j: each query's share of every value.

    attn_weights is (S_k,) or (..., S_q, S_k); V is (..., S_k, d_v). Returns (d_v,) or (..., S_q, d_v).
    """
    return attn_weights @ V  # (..., S_q, d_v)


def dot_logits_columns(Q: Array, K: Array) -> Array:
    """The same logits in the column convention, Qᵀ K: entry (i, j) is q_i · k_j here too.

    Q is (..., d_k, S_q) and K (..., d_k, S_k), each token a column. Returns (..., S_q, S_k).
    """
    return np.swapaxes(Q, -1, -2) @ K  # (..., S_q, S_k)


def mix_columns(V: Array, attn_weights: Array) -> Array:
    """The same mixture in the column convention, V Aᵀ: V is (..., d_v, S_k), A (..., S_q, S_k); (..., d_v, S_q) back."""
    return V @ np.swapaxes(attn_weights, -1, -2)  # (..., d_v, S_q)


def attention(Q: Array, K: Array, V: Array, mask: Mask | None = None) -> Array:
    """softmax(Q Kᵀ / √d_k) V.

    Q is (..., S_q, d_k), K (..., S_k, d_k), V (..., S_k, d_v), and mask, True = may look, fits (..., S_q, S_k). Returns
    (..., S_q, d_v). A query that may look at nothing gets zeros, never NaN.
    """
    logits = scale_logits(dot_logits(Q, K), K)  # (..., S_q, S_k)
    attn_weights = softmax(logits) if mask is None else masked_softmax(logits, mask)  # (..., S_q, S_k)
    return mix(attn_weights, V)  # (..., S_q, d_v)


def naive_attention(X: Array) -> Array:
    """softmax(X Xᵀ) X: each token asks, is asked and gives with one and the same vector. X is (..., S, d)."""
    return mix(softmax(dot_logits(X, X)), X)  # (..., S, d)
