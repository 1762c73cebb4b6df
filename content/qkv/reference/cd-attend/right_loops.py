# expect: correct
import math

import numpy as np


def attention(Q, K, V, mask=None):
    """One query after the other; a key behind the mask is never touched."""
    out = np.zeros((len(Q), V.shape[1]))
    for i in range(len(Q)):
        allowed = [j for j in range(len(K)) if mask is None or mask[i, j]]
        if not allowed:
            continue
        scores = [Q[i] @ K[j] / math.sqrt(K.shape[1]) for j in allowed]
        shares = [math.exp(score - max(scores)) for score in scores]
        for share, j in zip(shares, allowed):
            out[i] += share / sum(shares) * V[j]
    return out
