# expect: code_not_finite
import numpy as np


def causal_attention(Q, K, V):
    """0 · (−∞) is no number: the mask turns everything into NaN."""
    future = np.triu(np.ones((len(Q), len(Q))), k=1)
    logits = Q @ K.T / np.sqrt(Q.shape[1]) + future * -np.inf
    e = np.exp(logits - logits.max(axis=1, keepdims=True))
    return e / e.sum(axis=1, keepdims=True) @ V
