# expect: softmax_down_columns
import numpy as np


def naive_attention(X):
    """Sums along the rows, but without keepdims they are laid along the columns."""
    s = X @ X.T
    e = np.exp(s - s.max())
    return (e / e.sum(axis=1)) @ X
