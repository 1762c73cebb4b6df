# expect: correct
import numpy as np


def softmax(s):
    e = np.exp(s - np.max(s))
    return e / np.sum(e)


def step(x_t, cache, W_Q, W_K, W_V):
    """np.vstack lays the new row below the old ones."""
    k, v = np.dot(x_t, W_K), np.dot(x_t, W_V)
    if cache is not None:
        old_K, old_V = cache
        K, V = np.vstack([old_K, k]), np.vstack([old_V, v])
    else:
        K, V = np.atleast_2d(k), np.atleast_2d(v)
    weights = softmax(np.dot(K, np.dot(x_t, W_Q)) / np.sqrt(W_K.shape[1]))
    return np.dot(weights, V), (K, V)
