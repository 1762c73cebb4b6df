# expect: mask_wrong_triangle
import numpy as np


def causal_attention(Q, K, V):
    """Keeps the future and hides the past."""
    S = Q.shape[0]
    s = Q @ K.T / np.sqrt(K.shape[1])
    s[np.tril_indices(S, -1)] = -np.inf
    a = np.exp(s - s.max(axis=1, keepdims=True))
    return (a / a.sum(axis=1, keepdims=True)) @ V
