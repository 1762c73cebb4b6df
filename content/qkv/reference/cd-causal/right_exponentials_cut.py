# expect: correct
import numpy as np


def causal_attention(Q, K, V):
    """Cuts the exponentials before they are added up, which is what −∞ does."""
    logits = np.dot(Q, K.T) / np.sqrt(K.shape[1])
    past = np.tri(len(Q), dtype=bool)
    top = np.array([logits[i, : i + 1].max() for i in range(len(Q))])
    e = np.where(past, np.exp(np.minimum(logits - top[:, None], 0)), 0)
    return np.dot(e, V) / e.sum(axis=1, keepdims=True)
