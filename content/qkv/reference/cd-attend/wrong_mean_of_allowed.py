# expect: mix_ignores_weights
import numpy as np


def attention(Q, K, V, mask=None):
    """Counts who may be seen and takes their mean; the scores are never looked at."""
    allowed = np.ones((len(Q), len(K))) if mask is None else mask.astype(float)
    count = allowed.sum(axis=1, keepdims=True)
    return allowed @ V / np.where(count == 0, 1, count)
