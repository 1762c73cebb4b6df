# expect: correct
import numpy as np


def project_columns(W, X, b=None):
    """Indices written out: k is a dimension of the result, d is summed over, the token is whatever comes after."""
    Q = np.einsum("kd,d...->k...", W, X)
    if b is None:
        return Q
    return Q + b.reshape((-1,) + (1,) * (X.ndim - 1))
