# expect: correct
import numpy as np


def softmax(logits, axis=-1):
    """Take off the largest, raise, divide."""
    shifted = logits - np.max(logits, axis=axis, keepdims=True)
    e = np.exp(shifted)
    return e / np.sum(e, axis=axis, keepdims=True)
