# expect: wrong_vector
import numpy as np


def attention(Q, K, V, mask=None):
    """Hands over the keys."""
    logits = Q @ K.T / np.sqrt(K.shape[-1])
    if mask is None:
        mask = np.ones(logits.shape, bool)
    logits = np.where(mask, logits, -1e300)
    e = np.where(mask, np.exp(logits - logits.max(axis=-1, keepdims=True)), 0)
    total = e.sum(axis=-1, keepdims=True)
    return e / np.where(total > 0, total, 1) @ K
