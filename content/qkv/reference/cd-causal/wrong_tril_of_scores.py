# expect: mask_with_zero
import numpy as np


def causal_attention(Q, K, V):
    """np.tril on the scores leaves zeros, and zero is a score like any other."""
    scores = np.tril(Q @ K.T / np.sqrt(K.shape[-1]))
    e = np.exp(scores - scores.max(axis=-1, keepdims=True))
    return e / e.sum(axis=-1, keepdims=True) @ V
