# expect: code_form
import numpy as np


def asymmetric_pair(X, W_Q, W_K):
    """Answers whether there is such a pair."""
    L = X @ W_Q @ (X @ W_K).T
    return not np.allclose(L, L.T)
