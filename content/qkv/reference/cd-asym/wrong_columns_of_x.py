# expect: code_broadcast
import numpy as np


def asymmetric_pair(X, W_Q, W_K):
    """W x for every token: the column convention's formula on rows."""
    L = (W_Q @ X).T @ (W_K @ X)
    i, j = np.unravel_index(np.abs(L - L.T).argmax(), L.shape)
    return int(i), int(j)
