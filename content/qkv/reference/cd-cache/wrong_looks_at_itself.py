# expect: cache_looks_at_itself
import numpy as np


def step(x_t, cache, W_Q, W_K, W_V):
    """Looks only at itself: the cache grows as it should, and the scores take the new key where all keys belong."""
    q, k, v = x_t @ W_Q, x_t @ W_K, x_t @ W_V
    K = k.reshape(1, -1)
    V = v.reshape(1, -1)
    scores = K.dot(q) / np.sqrt(q.shape[0])
    weights = np.exp(scores - scores.max())
    weights = weights / weights.sum()
    out = weights.dot(V)
    if cache is not None:
        K = np.vstack((cache[0], K))
        V = np.vstack((cache[1], V))
    return out, (K, V)
