# expect: scale_unasked
import numpy as np


def naive_attention(X):
    """Divides by √d, which comes two lessons later."""
    s = X @ X.T / np.sqrt(X.shape[1])
    e = np.exp(s - s.max(-1, keepdims=True))
    return (e / e.sum(-1, keepdims=True)) @ X
