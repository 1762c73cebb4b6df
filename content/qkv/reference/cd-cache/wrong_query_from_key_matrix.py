# expect: wrong_matrix
import numpy as np


def step(x_t, cache, W_Q, W_K, W_V):
    """W_K for W_Q: the token looks for what it is."""
    q = x_t @ W_K
    k, v = x_t @ W_K, x_t @ W_V
    K = k[None] if cache is None else np.vstack([cache[0], k])
    V = v[None] if cache is None else np.vstack([cache[1], v])
    s = K @ q / np.sqrt(len(q))
    e = np.exp(s - s.max())
    return e / e.sum() @ V, (K, V)
