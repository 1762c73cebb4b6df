# expect: code_raised
import numpy as np


def step(x_t, cache, W_Q, W_K, W_V):
    """Compares an array with None the hard way."""
    K, V = cache if cache else (None, None)
    K = (x_t @ W_K)[None] if K == None else np.vstack([K, x_t @ W_K])
    V = (x_t @ W_V)[None] if V == None else np.vstack([V, x_t @ W_V])
    s = K @ (x_t @ W_Q) / np.sqrt(K.shape[1])
    e = np.exp(s - s.max())
    return e / e.sum() @ V, (K, V)
