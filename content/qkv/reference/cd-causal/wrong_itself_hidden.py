# expect: mask_hides_self
import numpy as np


def causal_attention(Q, K, V):
    """k = 0 hides the diagonal too: a token may not see itself, and the first sees nobody."""
    S = len(Q)
    logits = Q @ K.T / np.sqrt(Q.shape[1])
    hidden = np.triu(np.ones((S, S), dtype=bool))
    e = np.where(hidden, 0, np.exp(logits - logits.max(axis=1, keepdims=True)))
    total = e.sum(axis=1, keepdims=True)
    return e / np.where(total == 0, 1, total) @ V
