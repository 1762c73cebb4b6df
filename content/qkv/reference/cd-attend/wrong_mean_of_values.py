# expect: mix_ignores_weights
import numpy as np


def attention(Q, K, V, mask=None):
    """One mean for everybody."""
    return np.repeat(V.mean(axis=0, keepdims=True), Q.shape[0], axis=0)
