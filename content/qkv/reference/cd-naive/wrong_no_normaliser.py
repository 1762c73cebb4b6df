# expect: softmax_no_normaliser
import numpy as np


def naive_attention(X):
    """Exponentials without the division."""
    return np.exp(X @ X.T) @ X
