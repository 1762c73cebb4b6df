# expect: scale_missing
import numpy as np


def softmax(x):
    e = np.exp(x - x.max(axis=-1, keepdims=True))
    return e / e.sum(axis=-1, keepdims=True)


def attention(Q, K, V, mask=None):
    """Forgets √d_k."""
    logits = Q @ K.T
    if mask is None:
        return softmax(logits) @ V
    logits = np.where(mask, logits, -1e30)
    return np.where(mask, softmax(logits), 0) @ V
