# expect: softmax_axis_ignored
import numpy as np


def softmax(logits, axis=-1):
    """Always the last axis, whatever was asked."""
    e = np.exp(logits - logits.max(axis=-1, keepdims=True))
    return e / e.sum(axis=-1, keepdims=True)
