"""Slips between logits and attention weights: queries and keys exchanged, and all that softmax is mistaken for."""

from __future__ import annotations

import numpy as np

from grader.attention.attention import dot_logits
from grader.attention.projection import Array
from grader.attention.softmax import softmax
from grader.derivation.slips.wrong_forward import WrongForward


def logits_transposed(Q: Array, K: Array) -> Array:
    """k_i · q_j in the place of q_i · k_j."""
    return np.swapaxes(dot_logits(Q, K), -1, -2)


def down_columns(logits: Array) -> Array:
    """Shares over the queries: each key's column adds up to one."""
    return softmax(logits, axis=-2)


def over_all(logits: Array) -> Array:
    """One softmax over the whole matrix."""
    return softmax(logits.reshape(-1)).reshape(logits.shape)


def no_normaliser(logits: Array) -> Array:
    """e^l, not divided by the sum."""
    return np.exp(logits)


def linear_share(logits: Array) -> Array:
    """Plain shares l / Σ l, without the exponential."""
    shares: Array = logits / logits.sum(axis=-1, keepdims=True)
    return shares


def argmax(logits: Array) -> Array:
    """Everything to the largest."""
    largest = logits == logits.max(axis=-1, keepdims=True)
    shares: Array = largest / largest.sum(axis=-1, keepdims=True)
    return shares


def stopped_early(logits: Array) -> Array:
    """The logits themselves."""
    return logits


WEIGHT_SLIPS = (
    WrongForward("logits_transposed", "dot_logits", (2,), logits_transposed, r"{1} {0}^{{\top}}"),
    WrongForward(
        "softmax_down_columns", "softmax", (1,), down_columns, r"\operatorname{{softmax}}_{{\downarrow}}({0})"
    ),
    WrongForward("softmax_over_all", "softmax", (1,), over_all, r"e^{{{0}}} / \sum_{{i,j}} e^{{{0}_{{ij}}}}"),
    WrongForward("softmax_no_normaliser", "softmax", (1,), no_normaliser, "e^{{{0}}}"),
    WrongForward("softmax_linear_share", "softmax", (1,), linear_share, r"{0} / \sum {0}"),
    WrongForward("softmax_argmax", "softmax", (1,), argmax, r"\operatorname{{argmax}}({0})"),
    WrongForward("stopped_early", "softmax", (1,), stopped_early, "{0}"),
)
