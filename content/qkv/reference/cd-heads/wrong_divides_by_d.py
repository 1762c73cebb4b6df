# expect: scale_by_width
import numpy as np


def multi_head(Q, K, V, n_heads):
    """Divides by the width of a head, not by its root."""
    d = Q.shape[1] // n_heads
    dv = V.shape[1] // n_heads
    out = np.zeros((len(Q), V.shape[1]))
    for h in range(n_heads):
        s = Q[:, h * d : (h + 1) * d] @ K[:, h * d : (h + 1) * d].T / d
        a = np.exp(s - s.max(axis=1, keepdims=True))
        out[:, h * dv : (h + 1) * dv] = a / a.sum(axis=1, keepdims=True) @ V[:, h * dv : (h + 1) * dv]
    return out
