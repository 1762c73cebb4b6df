# expect: code_judged
import numpy as np


def asymmetric_pair(X, W_Q, W_K):
    """Counts tokens from 1, as the page does in its prose."""
    L = X @ W_Q @ (X @ W_K).T
    gap = np.abs(L - L.T)
    i, j = np.unravel_index(gap.argmax(), gap.shape)
    return int(i) + 1, int(j) + 1
