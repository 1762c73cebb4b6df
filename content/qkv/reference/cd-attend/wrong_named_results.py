# expect: code_kind
import numpy as np


def attention(Q, K, V, mask=None):
    """Returns a dictionary with the weights in it, as some libraries do."""
    logits = Q @ K.T / np.sqrt(K.shape[1])
    if mask is None:
        mask = np.ones(logits.shape, bool)
    logits = np.where(mask, logits, -1e300)
    e = np.exp(logits - logits.max(axis=1, keepdims=True)) * mask
    total = e.sum(axis=1, keepdims=True)
    weights = e / np.where(total > 0, total, 1)
    return {"output": weights @ V, "weights": weights}
