# expect: code_shape
import numpy as np


def project(x, W, b=None):
    """Written for one token, then tried on a sentence by taking its first."""
    while x.ndim > 1:
        x = x[0]
    q = np.zeros(W.shape[1])
    for j in range(W.shape[1]):
        q[j] = np.sum(x * W[:, j])
    if b is not None:
        q += b
    return q
