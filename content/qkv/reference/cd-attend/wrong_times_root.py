# expect: scale_multiplied
import numpy as np


def attention(Q, K, V, mask=None):
    """* np.sqrt(d) where / np.sqrt(d) belongs."""
    d = K.shape[1]
    rows = []
    for i, q in enumerate(Q):
        s = np.array([q @ k * np.sqrt(d) for k in K])
        seen = np.ones(len(K), dtype=bool) if mask is None else mask[i]
        if not seen.any():
            rows.append(np.zeros(V.shape[1]))
            continue
        e = np.exp(s - s[seen].max()) * seen
        rows.append(e / e.sum() @ V)
    return np.array(rows)
