# expect: code_overflow
import numpy as np


def naive_attention(X):
    """e to the power of the score itself: fine until a score reaches 710."""
    e = np.exp(X @ X.T)
    return e / e.sum(axis=1, keepdims=True) @ X
