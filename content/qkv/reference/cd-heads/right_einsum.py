# expect: correct
import numpy as np


def multi_head(Q, K, V, n_heads):
    """The head as one more index."""
    q = Q.reshape(len(Q), n_heads, Q.shape[1] // n_heads)
    k = K.reshape(len(K), n_heads, K.shape[1] // n_heads)
    v = V.reshape(len(V), n_heads, V.shape[1] // n_heads)
    s = np.einsum("ihd,jhd->hij", q, k) / np.sqrt(q.shape[2])
    a = np.exp(s - s.max(axis=2, keepdims=True))
    a /= a.sum(axis=2, keepdims=True)
    return np.einsum("hij,jhv->ihv", a, v).reshape(len(Q), -1)
