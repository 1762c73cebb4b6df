# expect: correct
import numpy as np


def attention(Q, K, V):
    """Keeps axis 0, and turns the table so that the keys run along it."""
    logits = K @ Q.T / np.sqrt(K.shape[-1])
    e = np.exp(logits - logits.max(axis=0))
    attn_weights = e / e.sum(axis=0)
    return attn_weights.T @ V


def failing_case():
    """Two queries that disagree, drawn with a seed of their own."""
    stream = np.random.default_rng(7)
    return stream.normal(size=(2, 3)), stream.normal(size=(4, 3)), stream.normal(size=(4, 2))
