# expect: scale_missing
import numpy as np


def multi_head(Q, K, V, n_heads):
    """Heads without √d_k."""
    q = np.stack(np.split(Q, n_heads, axis=1))
    k = np.stack(np.split(K, n_heads, axis=1))
    v = np.stack(np.split(V, n_heads, axis=1))
    s = np.einsum("hid,hjd->hij", q, k)
    e = np.exp(s - s.max(axis=2, keepdims=True))
    heads = np.einsum("hij,hjv->hiv", e / e.sum(axis=2, keepdims=True), v)
    return np.concatenate(list(heads), axis=1)
