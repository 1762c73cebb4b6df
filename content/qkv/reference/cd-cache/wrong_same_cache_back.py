# expect: code_work
import numpy as np


def step(x_t, cache, W_Q, W_K, W_V):
    """The output is right, and the cache stays as it was."""
    K, V = (x_t @ W_K)[None], (x_t @ W_V)[None]
    if cache is None:
        cache = (K, V)
    else:
        K, V = np.vstack([cache[0], K]), np.vstack([cache[1], V])
    s = K @ (x_t @ W_Q) / np.sqrt(K.shape[1])
    e = np.exp(s - s.max())
    return e / e.sum() @ V, cache
