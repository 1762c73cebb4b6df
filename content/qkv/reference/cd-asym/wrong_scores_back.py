# expect: code_judged
import numpy as np


def asymmetric_pair(X, W_Q, W_K):
    """Gives the two scores back, not the two tokens."""
    L = X @ W_Q @ (X @ W_K).T
    i, j = np.unravel_index(np.abs(L - L.T).argmax(), L.shape)
    return L[i, j], L[j, i]
