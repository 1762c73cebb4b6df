# expect: softmax_over_all
import numpy as np


def attention(Q, K, V):
    """No axis at all: one softmax for the whole table."""
    logits = Q @ K.T / np.sqrt(K.shape[-1])
    e = np.exp(logits - logits.max())
    return (e / e.sum()) @ V


def failing_case():
    """One query, two keys."""
    return np.ones((1, 2)), np.ones((2, 2)), np.ones((2, 1))
