# expect: code_judged
import numpy as np


def asymmetric_pair(X, W_Q, W_K):
    """q_i · q_j is symmetric again."""
    Q = X @ W_Q
    L = Q @ Q.T
    i, j = np.unravel_index(np.argmax(np.abs(L - L.T)), L.shape)
    return int(i), int(j)
