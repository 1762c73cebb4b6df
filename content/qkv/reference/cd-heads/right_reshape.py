# expect: correct
import numpy as np


def multi_head(Q, K, V, n_heads):
    """Split, swap, attend, swap back, join."""

    def split(M):
        return M.reshape(M.shape[0], n_heads, -1).transpose(1, 0, 2)

    q, k, v = split(Q), split(K), split(V)
    logits = q @ k.transpose(0, 2, 1) / np.sqrt(q.shape[-1])
    e = np.exp(logits - logits.max(axis=-1, keepdims=True))
    heads = e / e.sum(axis=-1, keepdims=True) @ v
    return heads.transpose(1, 0, 2).reshape(Q.shape[0], V.shape[1])
