# expect: mask_after_softmax
import numpy as np


def attention(Q, K, V, mask=None):
    """Everybody gets a share first, and the masked shares are thrown away."""
    logits = Q @ K.T / np.sqrt(Q.shape[1])
    e = np.exp(logits - logits.max(axis=1, keepdims=True))
    weights = e / e.sum(axis=1, keepdims=True)
    if mask is not None:
        weights = weights * mask
    return weights @ V
