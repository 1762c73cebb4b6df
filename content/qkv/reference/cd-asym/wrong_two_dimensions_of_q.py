# expect: code_judged
import numpy as np


def asymmetric_pair(X, W_Q, W_K):
    """Looks for an asymmetric entry in the matrices, not in the scores."""
    M = W_Q @ W_K.T
    gap = np.abs(M - M.T)
    i, j = np.unravel_index(gap.argmax(), gap.shape)
    return int(i) % len(X), int(j) % len(X)
