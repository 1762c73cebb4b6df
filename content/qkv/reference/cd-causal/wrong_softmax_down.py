# expect: softmax_down_columns
import numpy as np


def causal_attention(Q, K, V):
    """The right mask, and softmax over the queries."""
    logits = Q @ K.T / np.sqrt(Q.shape[1])
    logits = np.where(np.tri(len(Q), dtype=bool), logits, -np.inf)
    e = np.exp(logits - logits.max(axis=0, keepdims=True))
    return e / e.sum(axis=0, keepdims=True) @ V
