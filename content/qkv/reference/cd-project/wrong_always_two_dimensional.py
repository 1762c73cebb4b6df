# expect: code_shape
import numpy as np


def project(x, W, b=None):
    """One token comes back as a matrix of one row."""
    tokens = np.atleast_2d(x)
    q = tokens @ W
    if b is not None:
        q = q + b[None, :]
    return q
