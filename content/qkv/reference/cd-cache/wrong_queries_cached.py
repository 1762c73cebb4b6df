# expect: wrong_matrix
import numpy as np


def step(x_t, cache, W_Q, W_K, W_V):
    """Keeps queries where keys belong."""
    q, k, v = x_t @ W_Q, x_t @ W_K, x_t @ W_V
    old_K, old_V = (q[None][:0], v[None][:0]) if cache is None else cache
    K = np.vstack([old_K, q])
    V = np.vstack([old_V, v])
    s = K @ q / np.sqrt(len(q))
    e = np.exp(s - s.max())
    return e / e.sum() @ V, (K, V)
