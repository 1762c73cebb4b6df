# expect: mask_after_softmax
import numpy as np


def causal_attention(Q, K, V):
    """np.tril on the finished weights."""
    logits = Q @ K.T / np.sqrt(Q.shape[-1])
    e = np.exp(logits - logits.max(axis=-1, keepdims=True))
    weights = np.tril(e / e.sum(axis=-1, keepdims=True))
    return weights @ V
