# expect: softmax_over_heads
import numpy as np


def multi_head(Q, K, V, n_heads):
    """axis=0 of (n_heads, S_q, S_k) runs over the heads."""
    q, k, v = (M.reshape(len(M), n_heads, -1).transpose(1, 0, 2) for M in (Q, K, V))
    s = q @ k.transpose(0, 2, 1) / np.sqrt(q.shape[-1])
    e = np.exp(s - s.max(0))
    return (e / e.sum(0) @ v).transpose(1, 0, 2).reshape(len(Q), -1)
