# expect: code_example
import numpy as np


def attention(Q, K, V):
    """Mended."""
    logits = Q @ K.T / np.sqrt(K.shape[-1])
    e = np.exp(logits - logits.max(axis=-1, keepdims=True))
    return e / e.sum(axis=-1, keepdims=True) @ V


def failing_case():
    """One query and one key leave nothing to share out."""
    return np.array([[2.0, 3.0]]), np.array([[1.0, 1.0]]), np.array([[4.0]])
