# expect: heads_interleaved
import numpy as np


def multi_head(Q, K, V, n_heads):
    """Deals the columns out like cards: head h gets columns h, h + n_heads, …"""
    out = np.zeros((len(Q), V.shape[1]))
    for h in range(n_heads):
        q, k, v = Q[:, h::n_heads], K[:, h::n_heads], V[:, h::n_heads]
        s = q @ k.T / np.sqrt(q.shape[1])
        e = np.exp(s - s.max(1, keepdims=True))
        out[:, h::n_heads] = e / e.sum(1, keepdims=True) @ v
    return out
