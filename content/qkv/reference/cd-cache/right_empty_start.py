# expect: correct
import numpy as np


def step(x_t, cache, W_Q, W_K, W_V):
    """No cache is a cache of no rows."""
    K, V = (np.zeros((0, W_K.shape[1])), np.zeros((0, W_V.shape[1]))) if cache is None else cache
    K = np.append(K, [x_t @ W_K], axis=0)
    V = np.append(V, [x_t @ W_V], axis=0)
    logits = np.einsum("jk,k->j", K, x_t @ W_Q) / K.shape[1] ** 0.5
    shares = np.exp(logits - logits.max())
    return np.einsum("j,jv->v", shares / shares.sum(), V), (K, V)
