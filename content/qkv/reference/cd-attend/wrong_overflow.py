# expect: code_overflow
import numpy as np


def attention(Q, K, V, mask=None):
    """No largest taken off: large scores overflow."""
    e = np.exp(Q @ K.T / np.sqrt(K.shape[1]))
    if mask is not None:
        e = e * mask
    total = e.sum(axis=1, keepdims=True)
    return e / np.where(total > 0, total, 1) @ V
