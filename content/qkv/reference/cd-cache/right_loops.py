# expect: correct
import math

import numpy as np


def step(x_t, cache, W_Q, W_K, W_V):
    """Row by row, number by number."""
    q = x_t @ W_Q
    keys = [] if cache is None else list(cache[0])
    values = [] if cache is None else list(cache[1])
    keys.append(x_t @ W_K)
    values.append(x_t @ W_V)
    scores = [float(np.dot(q, key)) / math.sqrt(len(q)) for key in keys]
    top = max(scores)
    shares = [math.exp(score - top) for score in scores]
    out = np.zeros(W_V.shape[1])
    for share, value in zip(shares, values):
        out += share / sum(shares) * value
    return out, (np.array(keys), np.array(values))
