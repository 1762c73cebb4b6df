# expect: scale_missing
import numpy as np


def causal_attention(Q, K, V):
    """The mask is right, the scale is missing."""
    logits = Q @ K.T
    logits[np.triu_indices(len(Q), 1)] = -np.inf
    e = np.exp(logits - logits.max(axis=-1, keepdims=True))
    return e / e.sum(axis=-1, keepdims=True) @ V
