# expect: correct
import numpy as np


def project_columns(W, X, b=None):
    """The formula as it stands; a sentence wants the bias as a column."""
    Q = W @ X
    if b is None:
        return Q
    return Q + b if X.ndim == 1 else Q + b[:, None]
