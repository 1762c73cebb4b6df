# expect: correct
import numpy as np


def attention(Q, K, V, mask=None):
    """e^s times the mask is the same as e^(−∞) behind it, if the division comes last."""
    s = np.dot(Q, K.T) / K.shape[1] ** 0.5
    allowed = np.ones_like(s) if mask is None else mask.astype(float)
    top = np.max(np.where(allowed > 0, s, -1e18), axis=1, keepdims=True)
    e = np.exp(np.minimum(s - top, 0)) * allowed
    total = e.sum(axis=1, keepdims=True)
    total[total == 0] = 1.0
    return np.dot(e, V) / total
