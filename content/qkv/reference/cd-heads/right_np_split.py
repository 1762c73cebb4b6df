# expect: correct
import numpy as np


def multi_head(Q, K, V, n_heads):
    """np.split gives the heads, np.hstack joins them."""
    heads = []
    parts = (np.split(M, n_heads, axis=-1) for M in (Q, K, V))
    for q, k, v in zip(*parts):
        scores = np.dot(q, k.T) * q.shape[-1] ** -0.5
        scores = np.exp(scores - scores.max(-1)[:, None])
        heads.append(np.dot(scores, v) / scores.sum(-1)[:, None])
    return np.hstack(heads)
