# expect: code_not_finite
import numpy as np


def attention(Q, K, V, mask=None):
    """−∞ everywhere in a row: −∞ − (−∞) is no number."""
    logits = Q @ K.T / np.sqrt(K.shape[1])
    if mask is not None:
        logits = np.where(mask, logits, -np.inf)
    e = np.exp(logits - logits.max(axis=1, keepdims=True))
    return e / e.sum(axis=1, keepdims=True) @ V
