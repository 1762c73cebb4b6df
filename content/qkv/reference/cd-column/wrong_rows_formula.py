# expect: w_transposed
import numpy as np


def project_columns(W, X, b=None):
    """x W for every column, as the row convention has it."""
    if X.ndim == 1:
        q = X @ W
        return q if b is None else q + b
    q = (X.T @ W).T
    return q if b is None else q + b[:, None]
