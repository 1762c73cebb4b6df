# expect: code_example
import numpy as np


def attention(Q, K, V):
    """Mended."""
    scores = Q @ K.T / np.sqrt(K.shape[-1])
    scores = np.exp(scores - scores.max(axis=1, keepdims=True))
    return scores / scores.sum(axis=1, keepdims=True) @ V


def failing_case():
    """As many queries as keys, and nothing but zeros: every share is a half in either direction."""
    return np.zeros((2, 2)), np.zeros((2, 2)), np.array([[1.0], [5.0]])
