# expect: bias_wrong_axis
import numpy as np


def project_columns(W, X, b=None):
    """b[None, :] is a row: one number for each token, where each dimension should get one."""
    out = np.dot(W, X)
    if b is None:
        return out
    return out + (b if X.ndim == 1 else b[None, :])
