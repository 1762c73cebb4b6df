# expect: bias_wrong_axis
import numpy as np


def project_columns(W, X, b=None):
    """NumPy lays a flat b along the tokens."""
    Q = W @ X
    if b is not None:
        Q = Q + b
    return Q
