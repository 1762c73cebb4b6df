"""Softmax: logits turned into shares that are positive and add up to one."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from grader.attention.projection import Array


def softmax(logits: Array, axis: int = -1) -> Array:
    """The shares e^l / Σ e^l along `axis`, by default over the keys of each query.

    The result has the shape of `logits`. Adding a constant to all logits changes nothing, so the largest is taken off
    first: no exponent is then positive, and logits of ±1000 do no harm.
    """
    exponentials = np.exp(logits - logits.max(axis=axis, keepdims=True))
    shares: Array = exponentials / exponentials.sum(axis=axis, keepdims=True)
    return shares


def masked_softmax(logits: Array, mask: NDArray[np.bool_]) -> Array:
    """Softmax over the keys that each query may look at; a key behind the mask gets exactly 0.

    `mask` is boolean, True = may look, and fits the shape of `logits`. It works before the exponential, as −∞ would,
    and without the NaN that −∞ − (−∞) makes: the rule here is that a query which may look at nothing gets zeros.
    """
    allowed = np.broadcast_to(mask, logits.shape)
    largest = np.max(logits, axis=-1, keepdims=True, where=allowed, initial=-np.inf)
    # Of a row without any allowed key the largest is −∞; 0 stands in, since all its exponentials become 0 below.
    shifted = np.where(allowed, logits - np.where(np.isfinite(largest), largest, 0), -np.inf)
    exponentials = np.exp(shifted)
    total = exponentials.sum(axis=-1, keepdims=True)
    shares: Array = exponentials / np.where(total > 0, total, 1)
    return shares.astype(logits.dtype, copy=False)
