# expect: code_work
import numpy as np


def step(x_t, cache, W_Q, W_K, W_V):
    """Keeps tokens as columns, and hands them on as columns: axis 1 for axis 0."""
    q, k, v = x_t @ W_Q, (x_t @ W_K)[:, None], (x_t @ W_V)[:, None]
    K = k if cache is None else np.hstack([cache[0].T, k])
    V = v if cache is None else np.hstack([cache[1].T, v])
    s = q @ K / np.sqrt(len(q))
    e = np.exp(s - s.max())
    return V @ (e / e.sum()), (K, V)
