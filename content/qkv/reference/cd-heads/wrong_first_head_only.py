# expect: heads_share_weights
import numpy as np


def multi_head(Q, K, V, n_heads):
    """The first head's weights, used for all."""
    d = Q.shape[1] // n_heads
    s = Q[:, :d] @ K[:, :d].T / np.sqrt(d)
    e = np.exp(s - s.max(1, keepdims=True))
    return e / e.sum(1, keepdims=True) @ V
