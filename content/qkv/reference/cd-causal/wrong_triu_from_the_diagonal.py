# expect: mask_hides_self
import numpy as np


def causal_attention(Q, K, V):
    """np.triu keeps the diagonal unless it is told k=1, so it goes with the future."""
    s = Q @ K.T / np.sqrt(K.shape[1])
    s += np.triu(np.ones_like(s)) * -1e9
    e = np.exp(s - s.max(axis=1, keepdims=True))
    return (e / e.sum(axis=1, keepdims=True)) @ V
