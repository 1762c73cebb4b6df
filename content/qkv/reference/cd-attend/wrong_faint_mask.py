# expect: mask_empty_row
import numpy as np


def attention(Q, K, V, mask=None):
    """−10⁹ added to what is hidden: in a row where all is hidden it cancels out."""
    s = Q @ K.T / np.sqrt(Q.shape[-1])
    if mask is not None:
        s = s + (1 - mask) * -1e9
    e = np.exp(s - s.max(axis=-1, keepdims=True))
    return e / e.sum(axis=-1, keepdims=True) @ V
