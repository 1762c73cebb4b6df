# expect: code_remembers
import numpy as np

KEYS, VALUES = [], []


def step(x_t, cache, W_Q, W_K, W_V):
    """Remembers on its own, so that two sentences get mixed up."""
    KEYS.append(x_t @ W_K)
    VALUES.append(x_t @ W_V)
    K, V = np.array(KEYS), np.array(VALUES)
    s = K @ (x_t @ W_Q) / np.sqrt(K.shape[1])
    e = np.exp(s - s.max())
    return e / e.sum() @ V, (K, V)
