# expect: bias_per_term
import numpy as np


def project_columns(W, X, b=None):
    """The bias is added where the products are, inside the innermost loop."""
    tokens = X[:, None] if X.ndim == 1 else X
    Q = np.zeros((len(W), tokens.shape[1]))
    for row in range(len(W)):
        for token in range(tokens.shape[1]):
            for d in range(W.shape[1]):
                Q[row, token] += W[row, d] * tokens[d, token] + (0 if b is None else b[row])
    return Q[:, 0] if X.ndim == 1 else Q
