# expect: wrong_vector
import numpy as np


def multi_head(Q, K, V, n_heads):
    """Every head hands over its keys."""
    heads = []
    for q, k in zip(np.split(Q, n_heads, 1), np.split(K, n_heads, 1)):
        s = q @ k.T / np.sqrt(q.shape[1])
        e = np.exp(s - s.max(1, keepdims=True))
        heads.append(e / e.sum(1, keepdims=True) @ k)
    return np.hstack(heads)
