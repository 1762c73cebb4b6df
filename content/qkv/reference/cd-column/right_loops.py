# expect: correct
import numpy as np


def project_columns(W, X, b=None):
    """Cell by cell; a single token is a matrix of one column for a while."""
    columns = X.reshape(X.shape[0], -1)
    d_k, d = W.shape
    out = np.zeros((d_k, columns.shape[1]))
    for i in range(d_k):
        for t in range(columns.shape[1]):
            total = 0.0 if b is None else b[i]
            for m in range(d):
                total += W[i, m] * columns[m, t]
            out[i, t] = total
    return out[:, 0] if X.ndim == 1 else out
