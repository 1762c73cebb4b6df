# expect: correct
import numpy as np


def step(x_t, cache, W_Q, W_K, W_V):
    """Makes room for one more row, copies the old ones, writes the new one."""
    past = 0 if cache is None else len(cache[0])
    K = np.empty((past + 1, W_K.shape[1]))
    V = np.empty((past + 1, W_V.shape[1]))
    if past:
        K[:past], V[:past] = cache
    K[past], V[past] = x_t @ W_K, x_t @ W_V
    a = np.exp(np.logaddexp(0, -1e9) + (K @ (x_t @ W_Q)) / np.sqrt(K.shape[1]) - np.max(K @ (x_t @ W_Q)) / np.sqrt(K.shape[1]))
    return a @ V / np.sum(a), (K, V)
