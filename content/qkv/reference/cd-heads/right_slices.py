# expect: correct
import numpy as np


def one_head(q, k, v):
    s = q @ k.T / np.sqrt(q.shape[1])
    w = np.exp(s - s.max(axis=1, keepdims=True))
    return w / w.sum(axis=1, keepdims=True) @ v


def multi_head(Q, K, V, n_heads):
    """Each head takes its slice of columns."""
    d, dv = Q.shape[1] // n_heads, V.shape[1] // n_heads
    out = []
    for h in range(n_heads):
        keys = slice(h * d, (h + 1) * d)
        values = slice(h * dv, (h + 1) * dv)
        out.append(one_head(Q[:, keys], K[:, keys], V[:, values]))
    return np.concatenate(out, axis=1)
