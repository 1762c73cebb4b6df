# expect: code_overflow
import numpy as np


def softmax(logits, axis=-1):
    """Takes off the mean, which is not enough beside an outlier."""
    e = np.exp(logits - logits.mean(axis=axis, keepdims=True))
    return e / e.sum(axis=axis, keepdims=True)
