# expect: scale_by_length
import numpy as np


def attention(Q, K, V, mask=None):
    """len(K) counts tokens, not dimensions."""
    logits = Q @ K.T / np.sqrt(len(K))
    if mask is None:
        mask = np.full(logits.shape, True)
    logits = np.where(mask, logits, -1e300)
    e = np.exp(logits - logits.max(axis=-1, keepdims=True)) * mask
    total = e.sum(axis=-1, keepdims=True)
    return e / np.maximum(total, 1e-300) @ V
