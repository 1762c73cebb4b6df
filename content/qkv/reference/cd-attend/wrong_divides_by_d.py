# expect: scale_by_width
import numpy as np


def attention(Q, K, V, mask=None):
    """d_k itself, not its root."""
    d_k = Q.shape[-1]
    s = np.einsum("id,jd->ij", Q, K) / d_k
    if mask is not None:
        s[~mask] = -np.inf
    top = s.max(axis=1, keepdims=True)
    top[np.isinf(top)] = 0
    e = np.exp(s - top)
    z = e.sum(axis=1, keepdims=True)
    z[z == 0] = 1
    return (e / z) @ V
