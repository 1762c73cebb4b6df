# expect: code_broadcast
import numpy as np


def attention(Q, K, V):
    """axis=-1 without keepdims: the maxima no longer fit the table."""
    logits = Q @ K.T / np.sqrt(K.shape[-1])
    e = np.exp(logits - logits.max(axis=-1))
    attn_weights = e / e.sum(axis=-1)
    return attn_weights @ V


def failing_case():
    """One query, two keys."""
    return np.ones((1, 2)), np.ones((2, 2)), np.ones((2, 1))
