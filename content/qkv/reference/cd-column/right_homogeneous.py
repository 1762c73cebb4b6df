# expect: correct
import numpy as np


def project_columns(W, X, b=None):
    """The bias as one more column of W, met by a row of ones."""
    if b is None:
        return np.matmul(W, X)
    ones = np.ones((1, *X.shape[1:]))
    return np.hstack([W, b.reshape(-1, 1)]) @ np.concatenate([X, ones])
