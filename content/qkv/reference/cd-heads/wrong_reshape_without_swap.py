# expect: heads_split_wrongly
import numpy as np


def multi_head(Q, K, V, n_heads):
    """reshape alone cuts the text into pieces, not the width."""
    q = Q.reshape(n_heads, Q.shape[0], -1)
    k = K.reshape(n_heads, K.shape[0], -1)
    v = V.reshape(n_heads, V.shape[0], -1)
    s = q @ k.transpose(0, 2, 1) / np.sqrt(q.shape[-1])
    e = np.exp(s - s.max(axis=-1, keepdims=True))
    heads = e / e.sum(axis=-1, keepdims=True) @ v
    return heads.transpose(1, 0, 2).reshape(Q.shape[0], -1)
