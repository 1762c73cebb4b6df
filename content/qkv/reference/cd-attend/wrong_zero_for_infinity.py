# expect: mask_with_zero
import numpy as np


def attention(Q, K, V, mask=None):
    """A masked score of 0 still gets its e^0 = 1."""
    scores = np.dot(Q, K.T) / np.sqrt(K.shape[1])
    if mask is not None:
        scores = scores * mask
    scores = np.exp(scores - scores.max(axis=1)[:, None])
    return np.dot(scores / scores.sum(axis=1)[:, None], V)
