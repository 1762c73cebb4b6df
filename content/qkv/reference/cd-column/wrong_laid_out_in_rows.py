# expect: code_shape
import numpy as np


def project_columns(W, X, b=None):
    """The right numbers, but one token a row."""
    q = np.dot(X.T, W.T)
    return q if b is None else q + b
