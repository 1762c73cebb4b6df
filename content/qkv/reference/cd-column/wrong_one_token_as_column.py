# expect: code_shape
import numpy as np


def project_columns(W, X, b=None):
    """One token comes back as a column of a matrix."""
    X = X.reshape(W.shape[1], -1)
    out = W @ X
    if b is not None:
        out = out + b[:, None]
    return out
