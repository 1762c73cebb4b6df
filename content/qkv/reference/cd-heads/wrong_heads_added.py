# expect: code_shape
import numpy as np


def multi_head(Q, K, V, n_heads):
    """Adds the heads up instead of setting them side by side."""
    total = 0
    for q, k, v in zip(np.split(Q, n_heads, 1), np.split(K, n_heads, 1), np.split(V, n_heads, 1)):
        s = q @ k.T / np.sqrt(q.shape[1])
        e = np.exp(s - s.max(1, keepdims=True))
        total = total + e / e.sum(1, keepdims=True) @ v
    return total
