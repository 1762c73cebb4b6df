# expect: code_mutated
import numpy as np


def softmax(logits, axis=-1):
    """-= works in the caller's array."""
    logits -= logits.max(axis=axis, keepdims=True)
    e = np.exp(logits)
    return e / e.sum(axis=axis, keepdims=True)
