# expect: correct
import numpy as np


def asymmetric_pair(X, W_Q, W_K):
    """Only the antisymmetric part of W_Q W_Kᵀ can make a difference."""
    M = W_Q @ W_K.T
    gap = X @ (M - M.T) @ X.T
    flat = int(np.argmax(gap))
    return flat // len(X), flat % len(X)
