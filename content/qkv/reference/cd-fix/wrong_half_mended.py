# expect: softmax_down_columns
import numpy as np


def attention(Q, K, V):
    """The maximum along the rows, the sum still down the columns."""
    logits = Q @ K.T / np.sqrt(K.shape[-1])
    e = np.exp(logits)
    attn_weights = e / e.sum(axis=0, keepdims=True)
    return attn_weights @ V


def failing_case():
    """One query, two keys."""
    return np.ones((1, 2)), np.ones((2, 2)), np.ones((2, 1))
