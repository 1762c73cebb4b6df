# expect: code_example
import numpy as np


def attention(Q, K, V):
    """Mended."""
    logits = Q @ K.T / np.sqrt(K.shape[-1])
    e = np.exp(logits - logits.max(axis=-1, keepdims=True))
    attn_weights = e / e.sum(axis=-1, keepdims=True)
    return attn_weights @ V


def failing_case():
    """Q = K = I: the scores are symmetric, so both directions give the same."""
    return np.eye(3), np.eye(3), np.arange(6.0).reshape(3, 2)
