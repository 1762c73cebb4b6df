# expect: heads_ignored
import numpy as np


def multi_head(Q, K, V, n_heads):
    """One head of the whole width."""
    logits = Q @ K.T / np.sqrt(Q.shape[-1])
    e = np.exp(logits - logits.max(axis=-1, keepdims=True))
    return e / e.sum(axis=-1, keepdims=True) @ V
