# expect: code_broadcast
import numpy as np


def project_columns(W, X, b=None):
    """Written for a sentence: one token has no second axis."""
    Q = np.zeros((W.shape[0], X.shape[1]))
    for t in range(X.shape[1]):
        Q[:, t] = W @ X[:, t]
        if b is not None:
            Q[:, t] += b
    return Q
