# expect: correct
import numpy as np


def naive_attention(X):
    """Score, share, mix."""
    logits = X @ X.T
    e = np.exp(logits - logits.max(axis=1, keepdims=True))
    return e / e.sum(axis=1, keepdims=True) @ X
