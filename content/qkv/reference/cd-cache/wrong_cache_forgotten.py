# expect: code_form
import numpy as np


def step(x_t, cache, W_Q, W_K, W_V):
    """Returns the output and forgets to return the cache."""
    K, V = (x_t @ W_K)[None], (x_t @ W_V)[None]
    if cache is not None:
        K, V = np.vstack([cache[0], K]), np.vstack([cache[1], V])
    s = K @ (x_t @ W_Q) / np.sqrt(K.shape[1])
    e = np.exp(s - s.max())
    return e / e.sum() @ V
