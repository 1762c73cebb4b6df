# expect: code_mutated
import numpy as np


def project_columns(W, X, b=None):
    """Extends W by the bias in the caller's own arrays."""
    Q = W @ X
    if b is not None:
        Q = Q + (b if X.ndim == 1 else b[:, None])
    W[:] = 0.0
    return Q
