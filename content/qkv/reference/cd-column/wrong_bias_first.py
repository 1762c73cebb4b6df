# expect: bias_before_product
import numpy as np


def project_columns(W, X, b=None):
    """W (X + b)."""
    if b is not None:
        X = X + (b if X.ndim == 1 else b.reshape(-1, 1))
    return W @ X
