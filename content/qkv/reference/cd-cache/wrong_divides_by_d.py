# expect: scale_by_width
import numpy as np


def step(x_t, cache, W_Q, W_K, W_V):
    """Divides by d_k."""
    q, k, v = (x_t @ W for W in (W_Q, W_K, W_V))
    K, V = (k[None], v[None]) if cache is None else (np.vstack((cache[0], k)), np.vstack((cache[1], v)))
    s = np.dot(K, q) / W_K.shape[1]
    a = np.exp(s - s.max()) / np.exp(s - s.max()).sum()
    return np.dot(a, V), (K, V)
