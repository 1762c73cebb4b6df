# expect: softmax_no_normaliser
import numpy as np


def attention(Q, K, V, mask=None):
    """Exponentials are not shares yet."""
    e = np.exp(Q @ K.T / np.sqrt(K.shape[1]))
    if mask is not None:
        e = e * mask
    return e @ V
