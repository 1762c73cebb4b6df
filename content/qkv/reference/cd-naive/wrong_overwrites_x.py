# expect: code_mutated
import numpy as np


def naive_attention(X):
    """Writes each new vector over the old one while the others still need it."""
    logits = X @ X.T
    e = np.exp(logits - logits.max(axis=1, keepdims=True))
    A = e / e.sum(axis=1, keepdims=True)
    X[:] = A @ X
    return X
