# expect: code_judged
import numpy as np


def asymmetric_pair(X, W_Q, W_K):
    """Naive scores have no asymmetric pair; the search runs through and falls back."""
    S = X @ X.T
    for i in range(len(X)):
        for j in range(len(X)):
            if not np.isclose(S[i, j], S[j, i]):
                return i, j
    return 0, 0
