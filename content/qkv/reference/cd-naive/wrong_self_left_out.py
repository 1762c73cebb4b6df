# expect: mask_unasked
import numpy as np


def naive_attention(X):
    """A token may not look at itself here; nobody asked for that."""
    scores = X @ X.T
    np.fill_diagonal(scores, -1e9)
    e = np.exp(scores - scores.max(axis=1, keepdims=True))
    return e / e.sum(axis=1, keepdims=True) @ X
