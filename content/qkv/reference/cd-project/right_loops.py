# expect: correct
import numpy as np


def project(x, W, b=None):
    """One cell at a time, as one does it by hand."""
    tokens = np.asarray(x).reshape(-1, W.shape[0])
    q = np.zeros((len(tokens), W.shape[1]))
    for i, token in enumerate(tokens):
        for j in range(W.shape[1]):
            q[i, j] = sum(token[m] * W[m, j] for m in range(W.shape[0]))
            if b is not None:
                q[i, j] += b[j]
    return q.reshape(*x.shape[:-1], W.shape[1])
