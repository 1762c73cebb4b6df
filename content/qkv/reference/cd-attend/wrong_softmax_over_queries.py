# expect: softmax_down_columns
import numpy as np


def attention(Q, K, V, mask=None):
    """axis=0: the keys share out the queries."""
    logits = Q @ K.T / np.sqrt(K.shape[-1])
    if mask is None:
        mask = np.ones_like(logits, dtype=bool)
    logits = np.where(mask, logits, -1e300)
    e = np.exp(logits - logits.max(axis=0)) * mask
    total = e.sum(axis=0)
    return (e / np.where(total > 0, total, 1)) @ V
