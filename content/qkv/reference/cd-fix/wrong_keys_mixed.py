# expect: wrong_vector
import numpy as np


def attention(Q, K, V):
    """The axis is mended; K slipped in for V."""
    logits = Q @ K.T / np.sqrt(K.shape[-1])
    e = np.exp(logits - logits.max(axis=-1, keepdims=True))
    return (e / e.sum(axis=-1, keepdims=True)) @ K


def failing_case():
    """One query, two keys."""
    return np.ones((1, 2)), np.ones((2, 2)), np.ones((2, 1))
