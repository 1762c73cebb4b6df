# expect: w_transposed
import numpy as np


def project(x, W, b=None):
    """The column convention's formula, turned round at both ends but not at the matrix."""
    q = (W @ x.T).T
    return q if b is None else q + b
