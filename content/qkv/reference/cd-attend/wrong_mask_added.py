# expect: mask_added
import numpy as np


def attention(Q, K, V, mask=None):
    """Adds the mask as some libraries do, but theirs holds −∞ and this one True and False."""
    s = np.matmul(Q, np.transpose(K)) / K.shape[1] ** 0.5
    if mask is not None:
        s = s + mask
    e = np.exp(s - np.max(s, axis=1)[:, None])
    return np.matmul(e / np.sum(e, axis=1)[:, None], V)
