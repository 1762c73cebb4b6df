# expect: heads_out_of_order
import numpy as np


def multi_head(Q, K, V, n_heads):
    """Every head is right, and the last one comes first."""
    heads = []
    for q, k, v in zip(np.split(Q, n_heads, 1), np.split(K, n_heads, 1), np.split(V, n_heads, 1)):
        s = q @ k.T / np.sqrt(q.shape[1])
        e = np.exp(s - s.max(1, keepdims=True))
        heads.insert(0, e / e.sum(1, keepdims=True) @ v)
    return np.hstack(heads)
