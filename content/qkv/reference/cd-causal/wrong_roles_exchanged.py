# expect: logits_transposed
import numpy as np


def causal_attention(Q, K, V):
    """K Qᵀ: entry (i, j) is k_i · q_j."""
    logits = K @ Q.T / np.sqrt(Q.shape[1])
    logits = np.where(np.tri(len(Q), dtype=bool), logits, -np.inf)
    e = np.exp(logits - logits.max(axis=1, keepdims=True))
    return (e / e.sum(axis=1, keepdims=True)) @ V
