# expect: softmax_other_base
import numpy as np


def softmax(logits, axis=-1):
    """Powers of two in the place of powers of e."""
    p = 2.0 ** (logits - logits.max(axis=axis, keepdims=True))
    return p / p.sum(axis=axis, keepdims=True)
