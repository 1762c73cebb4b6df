# expect: scale_after_softmax
import numpy as np


def softmax(s, mask):
    """Rows that may look at nothing end as zeros."""
    if mask is None:
        mask = np.ones(s.shape, dtype=bool)
    top = np.max(s, axis=1, keepdims=True, initial=-1e30, where=mask)
    e = np.where(mask, np.exp(np.where(mask, s - top, 0)), 0)
    return e / np.maximum(e.sum(axis=1, keepdims=True), 1e-300)


def attention(Q, K, V, mask=None):
    """The scale is there, one line too late."""
    w = softmax(Q @ K.T, mask)
    w = w / np.sqrt(K.shape[1])
    return w @ V
