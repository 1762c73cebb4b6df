# expect: correct
import numpy as np


def asymmetric_pair(X, W_Q, W_K):
    """The pair that differs most."""
    scores = X @ W_Q @ W_K.T @ X.T
    difference = np.abs(scores - scores.T)
    i, j = np.unravel_index(difference.argmax(), difference.shape)
    return int(i), int(j)
