# expect: wrong_vector
import numpy as np


def causal_attention(Q, K, V):
    """Mixes the keys."""
    out = np.zeros_like(K, dtype=float)
    for i, q in enumerate(Q):
        w = np.exp(K[: i + 1] @ q / np.sqrt(q.size))
        out[i] = w @ K[: i + 1] / w.sum()
    return out
