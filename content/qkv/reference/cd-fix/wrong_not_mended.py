# expect: softmax_down_columns
import numpy as np


def attention(Q, K, V):
    """As it was."""
    logits = Q @ K.T / np.sqrt(K.shape[-1])
    e = np.exp(logits - logits.max(axis=0))
    attn_weights = e / e.sum(axis=0)
    return attn_weights @ V


def failing_case():
    """Right about the fault."""
    return np.array([[1.0, 0.0]]), np.array([[1.0, 0.0], [0.0, 1.0]]), np.array([[1.0], [2.0]])
