# expect: scale_by_width
import numpy as np


def causal_attention(Q, K, V):
    """Divides by d."""
    S, d = Q.shape
    logits = np.einsum("qd,kd->qk", Q, K) / d
    allowed = np.arange(S)[:, None] >= np.arange(S)[None, :]
    logits = np.where(allowed, logits, -1e20)
    e = np.exp(logits - logits.max(axis=1, keepdims=True))
    return np.einsum("qk,kv->qv", e / e.sum(axis=1, keepdims=True), V)
