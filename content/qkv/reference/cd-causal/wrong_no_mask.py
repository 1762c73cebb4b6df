# expect: mask_forgotten
import numpy as np


def causal_attention(Q, K, V):
    """Plain attention."""
    logits = np.matmul(Q, K.T) / np.sqrt(Q.shape[1])
    e = np.exp(logits - logits.max(axis=1)[:, None])
    return np.matmul(e / e.sum(axis=1)[:, None], V)
