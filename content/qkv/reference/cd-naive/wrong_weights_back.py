# expect: code_shape
import numpy as np


def naive_attention(X):
    """Gives the weights back and does not mix."""
    logits = X @ X.T
    e = np.exp(logits - logits.max(axis=1, keepdims=True))
    return e / e.sum(axis=1, keepdims=True)
