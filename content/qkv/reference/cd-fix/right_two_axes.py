# expect: correct
import numpy as np


def attention(Q, K, V):
    """softmax(Q Kᵀ / √d_k) V."""
    logits = Q @ K.T / np.sqrt(K.shape[-1])
    e = np.exp(logits - logits.max(axis=-1, keepdims=True))
    attn_weights = e / e.sum(axis=-1, keepdims=True)
    return attn_weights @ V


def failing_case():
    """One query: down the column every weight was 1."""
    return np.array([[1.0, 0.0]]), np.array([[1.0, 0.0], [0.0, 1.0]]), np.array([[1.0], [2.0]])
