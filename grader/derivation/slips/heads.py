"""Slips of several heads: how the width is shared out, how the heads are joined, and what is forgotten within one."""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np

from grader.attention.attention import attention, dot_logits, mix, scale_logits
from grader.attention.heads import merge_heads, split_heads
from grader.attention.projection import Array
from grader.attention.softmax import softmax
from grader.derivation.slips.wrong_forward import WrongForward

Heads = Callable[[Array, int], Array]
Weights = Callable[[Array, Array], Array]


def split_by_reshape(Q: Array, K: Array, V: Array, n_heads: Array) -> Array:
    """Cut along the tokens, as a bare reshape to (n_heads, S, d_head) does."""
    return _attend(Q, K, V, n_heads, split=_reshaped)


def merged_by_reshape(Q: Array, K: Array, V: Array, n_heads: Array) -> Array:
    """The right heads, and a bare reshape to (S, n_heads · d_head): tokens and heads get mixed up."""
    queries, keys, values = (split_heads(X, int(n_heads)) for X in (Q, K, V))
    heads = attention(queries, keys, values)  # (n_heads, S_q, d_v)
    return heads.reshape(len(Q), -1)


def interleaved(Q: Array, K: Array, V: Array, n_heads: Array) -> Array:
    """Columns dealt out like cards: head h takes columns h, h + n_heads, … and puts them back there."""
    h = int(n_heads)
    queries, keys, values = (np.stack([X[:, first::h] for first in range(h)]) for X in (Q, K, V))
    heads = attention(queries, keys, values)  # (n_heads, S_q, d_v)
    return np.stack(list(heads), axis=-1).reshape(len(Q), -1)


def one_head(Q: Array, K: Array, V: Array, _n_heads: Array) -> Array:
    """One head of the whole width."""
    return attention(Q, K, V)


def not_scaled(Q: Array, K: Array, V: Array, n_heads: Array) -> Array:
    """Softmax of q · k as it is."""
    return _attend(Q, K, V, n_heads, weigh=lambda logits, _: softmax(logits))


def scaled_by_width(Q: Array, K: Array, V: Array, n_heads: Array) -> Array:
    """Divided by the width of a head, not by its root."""
    return _attend(Q, K, V, n_heads, weigh=lambda logits, keys: softmax(logits / keys.shape[-1]))


def scaled_by_all_heads(Q: Array, K: Array, V: Array, n_heads: Array) -> Array:
    """Divided by the root of the whole width, that of all heads together."""
    return _attend(Q, K, V, n_heads, weigh=lambda logits, _: softmax(logits / math.sqrt(K.shape[-1])))


def down_columns(Q: Array, K: Array, V: Array, n_heads: Array) -> Array:
    """Shares over the queries of each head."""
    return _attend(Q, K, V, n_heads, weigh=lambda logits, keys: softmax(scale_logits(logits, keys), axis=-2))


def over_heads(Q: Array, K: Array, V: Array, n_heads: Array) -> Array:
    """Shares over the heads: axis 0 of (n_heads, S_q, S_k)."""
    return _attend(Q, K, V, n_heads, weigh=lambda logits, keys: softmax(scale_logits(logits, keys), axis=0))


def first_head_for_all(Q: Array, K: Array, V: Array, n_heads: Array) -> Array:
    """The weights of the first head, used by all."""
    return _attend(Q, K, V, n_heads, weigh=_first_weights)


def last_head_first(Q: Array, K: Array, V: Array, n_heads: Array) -> Array:
    """The right heads, the last of them first."""
    queries, keys, values = (split_heads(X, int(n_heads)) for X in (Q, K, V))
    return merge_heads(attention(queries, keys, values)[::-1])  # (S_q, n_heads · d_v)


def _first_weights(logits: Array, keys: Array) -> Array:
    weights = softmax(scale_logits(logits, keys))  # (n_heads, S_q, S_k)
    return np.broadcast_to(weights[:1], weights.shape)


def _attend(
    Q: Array,
    K: Array,
    V: Array,
    n_heads: Array,
    *,
    split: Heads = split_heads,
    weigh: Weights = lambda logits, keys: softmax(scale_logits(logits, keys)),
) -> Array:
    """Attention head by head with one part of it done otherwise."""
    queries, keys, values = (split(X, int(n_heads)) for X in (Q, K, V))  # (n_heads, S, d_head)
    return merge_heads(mix(weigh(dot_logits(queries, keys), keys), values))  # (S_q, n_heads · d_v)


def _reshaped(X: Array, n_heads: int) -> Array:
    return X.reshape(n_heads, len(X), -1)


HEAD_SLIPS = tuple(
    WrongForward(slug, "attend_by_heads", (4,), forward, letters)
    for slug, forward, letters in (
        ("heads_split_wrongly", split_by_reshape, r"\operatorname{{heads}}^{{S}}({0}, {1}, {2})"),
        ("heads_merged_wrongly", merged_by_reshape, r"\operatorname{{reshape}}(\operatorname{{heads}}({0}, {1}, {2}))"),
        ("heads_interleaved", interleaved, r"\operatorname{{heads}}_{{h, h + n, \dots}}({0}, {1}, {2})"),
        ("heads_ignored", one_head, r"\operatorname{{softmax}}({0} {1}^{{\top}} / \sqrt{{d}}) {2}"),
        ("heads_share_weights", first_head_for_all, r"\operatorname{{heads}}_{{A^{{(1)}}}}({0}, {1}, {2})"),
        ("heads_out_of_order", last_head_first, r"\operatorname{{heads}}_{{n, \dots, 1}}({0}, {1}, {2})"),
        ("scale_missing", not_scaled, r"\operatorname{{heads}}({0} {1}^{{\top}}, {2})"),
        ("scale_by_width", scaled_by_width, r"\operatorname{{heads}}({0} {1}^{{\top}} / d_k, {2})"),
        ("scale_by_other_width", scaled_by_all_heads, r"\operatorname{{heads}}({0} {1}^{{\top}} / \sqrt{{d}}, {2})"),
        ("softmax_down_columns", down_columns, r"\operatorname{{heads}}_{{\downarrow}}({0}, {1}, {2})"),
        ("softmax_over_heads", over_heads, r"\operatorname{{heads}}_{{\Sigma h}}({0}, {1}, {2})"),
    )
)
