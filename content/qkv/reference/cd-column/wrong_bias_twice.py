# expect: bias_twice
import numpy as np


def project_columns(W, X, b=None):
    """A bias to start from, and the bias again at the end."""
    if b is None:
        return W @ X
    column = b if X.ndim == 1 else b[:, np.newaxis]
    Q = np.zeros((W @ X).shape) + column
    Q += W @ X
    return Q + column
