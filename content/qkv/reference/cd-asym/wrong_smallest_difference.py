# expect: code_judged
import numpy as np


def asymmetric_pair(X, W_Q, W_K):
    """argmin for argmax: a pair with no difference, most often of a token with itself."""
    L = X @ W_Q @ (X @ W_K).T
    gap = np.abs(L - L.T)
    i, j = divmod(int(gap.argmin()), len(X))
    return i, j
