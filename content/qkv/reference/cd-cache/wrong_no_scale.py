# expect: scale_missing
import numpy as np


def step(x_t, cache, W_Q, W_K, W_V):
    """The cache is right, √d_k is missing."""
    K, V = (x_t @ W_K).reshape(1, -1), (x_t @ W_V).reshape(1, -1)
    if cache is not None:
        K, V = np.r_[cache[0], K], np.r_[cache[1], V]
    s = K @ (x_t @ W_Q)
    e = np.exp(s - s.max())
    return e @ V / e.sum(), (K, V)
