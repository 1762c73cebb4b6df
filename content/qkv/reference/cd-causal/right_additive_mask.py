# expect: correct
import numpy as np


def causal_attention(Q, K, V):
    """The mask as a matrix to add: 0 below, −10³⁰ above the diagonal."""
    n = Q.shape[0]
    scores = np.einsum("id,jd->ij", Q, K) / K.shape[1] ** 0.5
    scores = scores + np.triu(np.full((n, n), -1e30), k=1)
    scores = np.exp(scores - np.max(scores, axis=1, keepdims=True))
    return np.matmul(scores / np.sum(scores, axis=1, keepdims=True), V)
