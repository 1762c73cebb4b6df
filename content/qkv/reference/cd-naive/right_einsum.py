# expect: correct
import numpy as np


def naive_attention(X):
    """The same two sums with their indices."""
    s = np.einsum("id,jd->ij", X, X)
    s = s - s.max(axis=-1, keepdims=True)
    a = np.exp(s)
    a = a / a.sum(axis=-1, keepdims=True)
    return np.einsum("ij,jd->id", a, X)
