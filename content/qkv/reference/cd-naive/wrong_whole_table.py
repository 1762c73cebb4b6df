# expect: softmax_over_all
import numpy as np


def naive_attention(X):
    """One softmax over the whole table."""
    scores = np.dot(X, X.T)
    scores = scores - np.max(scores)
    shares = np.exp(scores) / np.sum(np.exp(scores))
    return np.dot(shares, X)
