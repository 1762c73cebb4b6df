# expect: correct
import numpy as np


def asymmetric_pair(X, W_Q, W_K):
    """All pairs at once; the last of them is as good as any."""
    L = np.einsum("id,dk,ek,je->ij", X, W_Q, W_K, X)
    pairs = np.argwhere(~np.isclose(L, L.T))
    return tuple(pairs[-1])
