# expect: correct
import math

import numpy as np


def naive_attention(X):
    """Each token in turn, by hand."""
    out = np.zeros_like(X, dtype=float)
    for i, x in enumerate(X):
        scores = [float(np.dot(x, y)) for y in X]
        top = max(scores)
        shares = [math.exp(s - top) for s in scores]
        total = sum(shares)
        for share, y in zip(shares, X):
            out[i] += share / total * y
    return out
