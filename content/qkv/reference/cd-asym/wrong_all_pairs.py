# expect: code_form
import numpy as np


def asymmetric_pair(X, W_Q, W_K):
    """Every pair, where one was asked."""
    L = X @ W_Q @ (X @ W_K).T
    return np.argwhere(np.abs(L - L.T) > 1e-9)
