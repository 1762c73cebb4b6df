# expect: correct
import numpy as np


def attention(Q, K, V, mask=None):
    """The scale goes into the query; a large negative number stands for −∞, and the mask cleans up behind it."""
    scores = np.matmul(Q / np.sqrt(Q.shape[-1]), np.swapaxes(K, -2, -1))
    if mask is not None:
        scores = np.where(mask, scores, -1e300)
    w = np.exp(scores - scores.max(axis=-1, keepdims=True))
    w /= w.sum(axis=-1, keepdims=True)
    if mask is not None:
        w = w * np.any(mask, axis=-1, keepdims=True)
    return w @ V
