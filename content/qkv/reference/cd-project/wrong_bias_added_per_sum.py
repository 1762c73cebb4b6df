# expect: bias_per_term
import numpy as np


def project(x, W, b=None):
    """The bias stands inside the sum over the d dimensions, so that it is added d times."""
    rows = x.reshape(-1, x.shape[-1])
    q = np.zeros((rows.shape[0], W.shape[1]))
    for n in range(rows.shape[0]):
        for j in range(W.shape[1]):
            for m in range(W.shape[0]):
                q[n, j] += rows[n, m] * W[m, j] + (0 if b is None else b[j])
    return q.reshape(x.shape[:-1] + (W.shape[1],))
