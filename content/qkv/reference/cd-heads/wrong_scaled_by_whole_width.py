# expect: scale_by_other_width
import numpy as np


def multi_head(Q, K, V, n_heads):
    """√ of the whole width, where each head adds up only its own d_k products."""
    d_model = Q.shape[1]
    out = []
    for q, k, v in zip(*(np.array_split(M, n_heads, axis=1) for M in (Q, K, V))):
        logits = q @ k.T / np.sqrt(d_model)
        e = np.exp(logits - logits.max(axis=1, keepdims=True))
        out.append(e / e.sum(axis=1, keepdims=True) @ v)
    return np.concatenate(out, axis=-1)
