# expect: code_judged
import numpy as np


def asymmetric_pair(X, W_Q, W_K):
    """s_ii is always equal to itself."""
    L = (X @ W_Q) @ (X @ W_K).T
    i = int(np.argmax(np.diag(L)))
    return i, i
