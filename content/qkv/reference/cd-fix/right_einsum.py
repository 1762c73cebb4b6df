# expect: correct
import numpy as np


def attention(Q, K, V):
    """Indices written out: i asks, j is asked."""
    s = np.einsum("id,jd->ij", Q, K) / K.shape[1] ** 0.5
    a = np.exp(s - s.max(axis=1)[:, None])
    a = a / a.sum(axis=1)[:, None]
    return np.einsum("ij,jv->iv", a, V)


def failing_case():
    """More keys than queries, whole numbers."""
    return np.array([[1, 2], [0, 1]]), np.array([[1, 0], [0, 1], [1, 1]]), np.array([[1, 0], [0, 1], [2, 2]])
