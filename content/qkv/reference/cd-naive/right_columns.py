# expect: correct
import numpy as np


def naive_attention(X):
    """Worked with tokens as columns. The scores are symmetric, so only the direction of softmax needs care."""
    columns = X.T
    scores = columns.T @ columns
    e = np.exp(scores - scores.max(axis=0))
    return (columns @ (e / e.sum(axis=0))).T
