# expect: correct
import numpy as np


def attention(Q, K, V):
    """Keeps axis 0, and turns the table so that the keys run along it."""
    logits = K @ Q.T / np.sqrt(K.shape[-1])
    e = np.exp(logits - logits.max(axis=0))
    attn_weights = e / e.sum(axis=0)
    return attn_weights.T @ V


def failing_case():
    """Two queries of which each prefers another of four keys."""
    Q = np.array([[1.0, 0.0, 2.0], [0.0, 1.0, -1.0]])
    K = np.vstack([np.eye(3), np.ones(3)])
    return Q, K, np.arange(8.0).reshape(4, 2)
