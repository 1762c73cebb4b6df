# expect: correct
import numpy as np


def attention(Q, K, V, mask=None):
    """Score, scale, mask, softmax, mix. Rows without any allowed key end as zeros."""
    logits = Q @ np.swapaxes(K, -1, -2) / np.sqrt(K.shape[-1])
    if mask is None:
        mask = np.ones(logits.shape, dtype=bool)
    top = np.where(mask, logits, -np.inf).max(axis=-1, keepdims=True)
    e = np.where(mask, np.exp(np.where(mask, logits, 0) - np.where(np.isfinite(top), top, 0)), 0)
    e[~np.broadcast_to(mask, e.shape)] = 0
    total = e.sum(axis=-1, keepdims=True)
    return e / np.where(total == 0, 1, total) @ V
