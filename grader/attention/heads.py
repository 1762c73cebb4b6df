"""Several heads side by side: each looks with its own share of the width (Vaswani et al. 2017, section 3.2.2).

With fewer heads for keys and values than for queries, groups of query heads share a pair (Ainslie et al. 2023, "GQA").
"""

from __future__ import annotations

import numpy as np

from grader.attention.attention import Mask, attention
from grader.attention.projection import Array, project_rows


def split_heads(X: Array, n_heads: int) -> Array:
    """(..., S, n_heads · d_head) -> (..., n_heads, S, d_head): head h takes the h-th block of columns.

    Raises ValueError where the width is not a multiple of n_heads.
    """
    *batch, S, width = X.shape
    if width % n_heads:
        raise ValueError(f"a width of {width} cannot be split into {n_heads} heads")
    return X.reshape(*batch, S, n_heads, width // n_heads).swapaxes(-2, -3)  # (..., n_heads, S, d_head)


def merge_heads(heads: Array) -> Array:
    """(..., n_heads, S, d_head) -> (..., S, n_heads · d_head): the inverse of `split_heads`."""
    *batch, n_heads, S, d_head = heads.shape
    return heads.swapaxes(-2, -3).reshape(*batch, S, n_heads * d_head)  # (..., S, n_heads · d_head)


def share_heads(heads: Array, n_heads: int) -> Array:
    """Give each of n_heads query heads its group's key or value head: (..., n_kv, S, d) -> (..., n_heads, S, d).

    Raises ValueError where n_heads is not a multiple of n_kv.
    """
    n_kv = heads.shape[-3]
    if n_heads % n_kv:
        raise ValueError(f"{n_heads} query heads cannot share {n_kv} key heads evenly")
    return np.repeat(heads, n_heads // n_kv, axis=-3)  # (..., n_heads, S, d)


def attend_by_heads(Q: Array, K: Array, V: Array, n_heads: int, mask: Mask | None = None) -> Array:
    """Attention head by head on stacked Q, K, V.

    Q is (..., S_q, n_heads · d_k); K and V have the same width, or for grouped heads a smaller one that still is a
    number of heads of the same d_k. The mask is (S_q, S_k), the same for every head. Returns (..., S_q, n_heads · d_v).
    Raises ValueError where a width cannot be split so.
    """
    queries = split_heads(Q, n_heads)  # (..., n_heads, S_q, d_k)
    n_kv = K.shape[-1] // queries.shape[-1]
    keys = share_heads(split_heads(K, n_kv), n_heads)  # (..., n_heads, S_k, d_k)
    values = share_heads(split_heads(V, n_kv), n_heads)  # (..., n_heads, S_k, d_v)
    return merge_heads(attention(queries, keys, values, mask))  # (..., S_q, n_heads · d_v)


def multi_head_attention(  # noqa: PLR0913 -- the formula has this many letters
    X: Array, W_Q: Array, W_K: Array, W_V: Array, W_O: Array, *, n_heads: int, mask: Mask | None = None
) -> Array:
    """Project, attend head by head, and mix the heads by W_O.

    X is (..., S, d_model), W_Q (d_model, n_heads · d_k), W_K and W_V (d_model, n_kv · d_k), W_O (n_heads · d_k,
    d_model). Returns (..., S, d_model).
    """
    Q, K, V = project_rows(X, W_Q), project_rows(X, W_K), project_rows(X, W_V)
    return project_rows(attend_by_heads(Q, K, V, n_heads, mask), W_O)  # (..., S, d_model)
