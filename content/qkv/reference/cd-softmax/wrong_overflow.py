# expect: code_overflow
import numpy as np


def softmax(logits, axis=-1):
    """The formula as it stands on paper: e^1000 is more than a float can hold."""
    e = np.exp(logits)
    return e / e.sum(axis=axis, keepdims=True)
