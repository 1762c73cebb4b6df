# expect: cache_not_extended
import numpy as np


def step(x_t, cache, W_Q, W_K, W_V):
    """Fills the cache once and never again."""
    if cache is None:
        cache = (x_t @ W_K)[None, :], (x_t @ W_V)[None, :]
    K, V = cache
    s = K @ (x_t @ W_Q) / np.sqrt(K.shape[1])
    e = np.exp(s - s.max())
    return e / e.sum() @ V, (K, V)
