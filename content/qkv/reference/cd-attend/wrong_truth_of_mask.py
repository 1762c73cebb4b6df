# expect: code_raised
import numpy as np


def attention(Q, K, V, mask=None):
    """`if mask:` has many truths to choose from."""
    logits = Q @ K.T / np.sqrt(K.shape[1])
    if mask:
        logits = logits + np.log(mask)
    e = np.exp(logits - logits.max(axis=1, keepdims=True))
    return e / e.sum(axis=1, keepdims=True) @ V
