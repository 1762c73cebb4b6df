# expect: code_remembers
import numpy as np


def step(x_t, cache, W_Q, W_K, W_V, tokens=[]):
    """Keeps every x in a default argument, which Python makes once, and works all keys and values out anew."""
    if cache is None:
        tokens.clear()
    tokens.append(x_t)
    X = np.array(tokens)
    K, V = X @ W_K, X @ W_V
    s = K @ (x_t @ W_Q) / np.sqrt(len(K[0]))
    e = np.exp(s - s.max())
    return e / e.sum() @ V, (K, V)
