# expect: code_shape
import numpy as np


def step(x_t, cache, W_Q, W_K, W_V):
    """One token comes out as a matrix of one row."""
    x = x_t[None, :]
    K, V = x @ W_K, x @ W_V
    if cache is not None:
        K, V = np.concatenate([cache[0], K]), np.concatenate([cache[1], V])
    s = (x @ W_Q) @ K.T / np.sqrt(K.shape[1])
    e = np.exp(s - s.max(axis=1, keepdims=True))
    return e / e.sum(axis=1, keepdims=True) @ V, (K, V)
