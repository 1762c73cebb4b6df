# expect: code_judged
import numpy as np


def asymmetric_pair(X, W_Q, W_K):
    """The largest score, with whatever stands across the diagonal."""
    L = X @ W_Q @ (X @ W_K).T
    return tuple(int(n) for n in np.unravel_index(L.argmax(), L.shape))
