# expect: correct
import numpy as np


def softmax(row):
    shifted = np.exp(row - np.max(row))
    return shifted / np.sum(shifted)


def naive_attention(X):
    """A softmax for one row, applied to every row."""
    weights = np.apply_along_axis(softmax, 1, np.dot(X, np.transpose(X)))
    return np.matmul(weights, X)
