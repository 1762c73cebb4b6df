# expect: code_shape
import numpy as np


def naive_attention(X):
    """Xᵀ X compares dimensions, not tokens."""
    s = X.T @ X
    e = np.exp(s - s.max(axis=1, keepdims=True))
    A = e / e.sum(axis=1, keepdims=True)
    return A @ X.T
