# expect: mix_ignores_weights
import numpy as np


def naive_attention(X):
    """Adds the vectors up and leaves the weights aside."""
    scores = X @ X.T
    weights = np.exp(scores - scores.max(axis=1, keepdims=True))
    weights /= weights.sum(axis=1, keepdims=True)
    out = np.zeros(X.shape)
    for i in range(len(weights)):
        for j in range(len(X)):
            out[i] = out[i] + X[j]
    return out
