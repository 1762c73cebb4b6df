# expect: mask_inverted
import numpy as np


def attention(Q, K, V, mask=None):
    """Takes True for "blocked", as some libraries do."""
    logits = Q @ K.T * K.shape[1] ** -0.5
    blocked = np.zeros(logits.shape, dtype=bool) if mask is None else mask
    e = np.zeros_like(logits)
    for i in range(len(logits)):
        free = ~blocked[i]
        if free.any():
            e[i, free] = np.exp(logits[i, free] - logits[i, free].max())
            e[i] /= e[i].sum()
    return e @ V
