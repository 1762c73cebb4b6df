# expect: w_transposed
import numpy as np


def project(x, W, b=None):
    """x Wᵀ: every number meets the wrong row of W, wherever the shapes let it."""
    q = x @ W.T
    return q if b is None else q + b
