# expect: scale_missing
import numpy as np


def attention(Q, K, V):
    """The axis is mended, and the scale went missing in the rewrite."""
    logits = Q @ K.T
    e = np.exp(logits - logits.max(axis=-1, keepdims=True))
    return e / e.sum(axis=-1, keepdims=True) @ V


def failing_case():
    """One query, two keys."""
    return np.ones((1, 2)), np.ones((2, 2)), np.ones((2, 1))
