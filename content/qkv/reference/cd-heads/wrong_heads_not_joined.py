# expect: code_shape
import numpy as np


def multi_head(Q, K, V, n_heads):
    """Leaves the heads as they are."""
    q, k, v = (M.reshape(len(M), n_heads, -1).transpose(1, 0, 2) for M in (Q, K, V))
    s = q @ k.transpose(0, 2, 1) / np.sqrt(q.shape[-1])
    e = np.exp(s - s.max(-1, keepdims=True))
    return e / e.sum(-1, keepdims=True) @ v
