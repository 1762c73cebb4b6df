# expect: correct
from itertools import combinations

import numpy as np


def asymmetric_pair(X, W_Q, W_K):
    """Two dot products a pair."""
    Q, K = X @ W_Q, X @ W_K
    best, found = -1.0, (0, 0)
    for i, j in combinations(range(X.shape[0]), 2):
        gap = abs(np.dot(Q[i], K[j]) - np.dot(Q[j], K[i]))
        if gap > best:
            best, found = gap, (j, i)
    return found
