# expect: softmax_no_normaliser
import numpy as np


def causal_attention(Q, K, V):
    """Exponentials of the past, undivided."""
    e = np.tril(np.exp(Q @ K.T / np.sqrt(Q.shape[1])))
    return e @ V
