# expect: softmax_linear_share
import numpy as np


def naive_attention(X):
    """Each score over the sum of its row: no exponential."""
    S = X @ X.T
    return (S / S.sum(axis=1)[:, None]) @ X
