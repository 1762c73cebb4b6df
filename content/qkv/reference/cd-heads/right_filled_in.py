# expect: correct
import numpy as np


def multi_head(Q, K, V, n_heads):
    """Token by token and head by head, written into an empty matrix."""
    out = np.zeros((Q.shape[0], V.shape[1]))
    d, dv = K.shape[1] // n_heads, V.shape[1] // n_heads
    for h in range(n_heads):
        for i in range(Q.shape[0]):
            q = Q[i, h * d : h * d + d]
            s = K[:, h * d : h * d + d] @ q / d**0.5
            w = np.exp(s - s.max())
            out[i, h * dv : h * dv + dv] = w / w.sum() @ V[:, h * dv : h * dv + dv]
    return out
