# expect: mix_ignores_weights
import numpy as np


def naive_attention(X):
    """The mean of all tokens, for every token."""
    S = len(X)
    return np.tile(X.mean(axis=0), (S, 1))
