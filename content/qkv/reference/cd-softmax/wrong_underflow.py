# expect: code_overflow
import numpy as np


def softmax(logits, axis=-1):
    """One largest for the whole array: a row far below it turns into 0/0."""
    e = np.exp(logits - logits.max())
    return e / e.sum(axis=axis, keepdims=True)
