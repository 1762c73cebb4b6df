# expect: scale_by_other_width
import numpy as np


def attention(Q, K, V, mask=None):
    """Takes d from V, which may be of another width."""
    d = V.shape[-1]
    out = np.zeros((Q.shape[0], d))
    for i, q in enumerate(Q):
        keys, values = (K, V) if mask is None else (K[mask[i]], V[mask[i]])
        if len(keys) == 0:
            continue
        s = keys @ q / np.sqrt(d)
        a = np.exp(s - s.max())
        out[i] = (a / a.sum()) @ values
    return out
