# expect: w_transposed
import numpy as np


def project_columns(W, X, b=None):
    """Wᵀ X: the matrix of the row convention, taken for this one."""
    Q = W.T @ X
    if b is None:
        return Q
    return Q + (b if X.ndim == 1 else b[:, None])
