"""Softmax: logits turned into shares that are positive and add up to one."""

from __future__ import annotations

import numpy as np

from grader.attention.projection import Array


def softmax(logits: Array, axis: int = -1) -> Array:
    """e^l / Σ e^l along `axis`, by default over the keys of each query.

    The result has the shape of `logits`. Adding a constant to all logits changes nothing, so the largest is taken off
    first: no exponent is then positive, and logits of ±1000 do no harm.
    """
    exponentials = np.exp(logits - logits.max(axis=axis, keepdims=True))
    shares: Array = exponentials / exponentials.sum(axis=axis, keepdims=True)
    return shares
