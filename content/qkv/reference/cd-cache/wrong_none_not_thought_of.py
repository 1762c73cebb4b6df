# expect: code_raised
import numpy as np


def step(x_t, cache, W_Q, W_K, W_V):
    """The first token has no cache to unpack."""
    K, V = cache
    K = np.vstack([K, x_t @ W_K])
    V = np.vstack([V, x_t @ W_V])
    s = K @ (x_t @ W_Q) / np.sqrt(K.shape[1])
    e = np.exp(s - s.max())
    return e / e.sum() @ V, (K, V)
