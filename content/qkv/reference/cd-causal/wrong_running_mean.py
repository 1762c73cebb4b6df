# expect: mix_ignores_weights
import numpy as np


def causal_attention(Q, K, V):
    """The mean of everything so far: causal, and blind to the scores."""
    return np.cumsum(V, axis=0) / np.arange(1, len(V) + 1)[:, None]
