# expect: correct
import numpy as np


def softmax(row):
    e = np.exp(row - row.max())
    return e / e.sum()


def attention(Q, K, V, mask=None):
    """Softmax over the allowed scores only, put back where they came from."""
    logits = (Q @ K.T) / np.sqrt(K.shape[1])
    weights = np.zeros_like(logits)
    for i, row in enumerate(logits):
        seen = np.ones(len(K), bool) if mask is None else mask[i]
        if seen.any():
            weights[i, seen] = softmax(row[seen])
    return weights @ V
