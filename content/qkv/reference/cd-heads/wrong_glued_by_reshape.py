# expect: heads_merged_wrongly
import numpy as np


def multi_head(Q, K, V, n_heads):
    """Heads of the right numbers, glued without swapping back: the rows mix up tokens and heads."""
    q, k, v = (M.reshape(len(M), n_heads, -1).swapaxes(0, 1) for M in (Q, K, V))
    s = q @ k.swapaxes(1, 2) / np.sqrt(q.shape[-1])
    w = np.exp(s - s.max(-1, keepdims=True))
    w = w / w.sum(-1, keepdims=True)
    return (w @ v).reshape(Q.shape[0], V.shape[1])
