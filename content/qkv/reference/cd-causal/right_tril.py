# expect: correct
import numpy as np


def causal_attention(Q, K, V):
    """A lower triangle of permissions, and −∞ outside it."""
    S = len(Q)
    logits = Q @ K.T / np.sqrt(Q.shape[-1])
    logits = np.where(np.tril(np.ones((S, S), dtype=bool)), logits, -np.inf)
    e = np.exp(logits - logits.max(axis=-1, keepdims=True))
    return e / e.sum(axis=-1, keepdims=True) @ V
