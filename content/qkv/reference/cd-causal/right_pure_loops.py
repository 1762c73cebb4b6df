# expect: correct
import math

import numpy as np


def causal_attention(Q, K, V):
    """Nothing but numbers."""
    out = np.zeros((Q.shape[0], V.shape[1]))
    for i in range(Q.shape[0]):
        s = []
        for j in range(i + 1):
            s.append(sum(Q[i, m] * K[j, m] for m in range(Q.shape[1])) / math.sqrt(Q.shape[1]))
        top = max(s)
        e = [math.exp(value - top) for value in s]
        for c in range(V.shape[1]):
            out[i, c] = sum(e[j] * V[j, c] for j in range(i + 1)) / sum(e)
    return out
