# expect: code_matrix
import numpy as np


def project_columns(W, X, b=None):
    """np.matrix, as an old textbook has it."""
    column = np.matrix(X.reshape(W.shape[1], -1))
    Q = np.matrix(W) * column
    if b is not None:
        Q = Q + np.matrix(b).T
    return Q
