# expect: softmax_argmax
import numpy as np


def naive_attention(X):
    """Copies the token with the largest score."""
    best = (X @ X.T).argmax(axis=1)
    return X[best]
