# expect: mask_empty_row
import numpy as np


def attention(Q, K, V, mask=None):
    """−10⁹ for −∞: a row of nothing but −10⁹ becomes a plain mean."""
    logits = Q @ K.T / np.sqrt(K.shape[1])
    if mask is not None:
        logits = np.where(mask, logits, -1e9)
    e = np.exp(logits - logits.max(axis=1, keepdims=True))
    return e / e.sum(axis=1, keepdims=True) @ V
