# expect: code_shape
import numpy as np


def multi_head(Q, K, V, n_heads):
    """return stands inside the loop."""
    for h in range(n_heads):
        d, dv = Q.shape[1] // n_heads, V.shape[1] // n_heads
        q, k = Q[:, h * d : h * d + d], K[:, h * d : h * d + d]
        s = q @ k.T / np.sqrt(d)
        e = np.exp(s - s.max(1, keepdims=True))
        return e / e.sum(1, keepdims=True) @ V[:, h * dv : h * dv + dv]
