# expect: correct
import numpy as np


def project_columns(W, X, b=None):
    """One token after the other, and the columns stacked side by side."""
    bias = np.zeros(W.shape[0]) if b is None else b
    if X.ndim == 1:
        return W.dot(X) + bias
    return np.stack([W.dot(column) + bias for column in X.T], axis=1)
