# expect: mask_forgotten
import numpy as np


def attention(Q, K, V, mask=None):
    """The mask is a parameter and nothing more."""
    s = np.matmul(Q, np.transpose(K)) / np.sqrt(K.shape[-1])
    s -= np.max(s, axis=-1, keepdims=True)
    np.exp(s, out=s)
    s /= np.sum(s, axis=-1, keepdims=True)
    return np.matmul(s, V)
