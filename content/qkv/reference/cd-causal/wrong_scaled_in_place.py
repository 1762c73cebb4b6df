# expect: code_mutated
import numpy as np


def causal_attention(Q, K, V):
    """/= scales the queries where they lie, in the caller's array."""
    Q /= np.sqrt(Q.shape[-1])
    s = np.where(np.tri(len(Q), dtype=bool), Q @ K.T, -np.inf)
    e = np.exp(s - s.max(axis=-1, keepdims=True))
    return e / e.sum(axis=-1, keepdims=True) @ V
