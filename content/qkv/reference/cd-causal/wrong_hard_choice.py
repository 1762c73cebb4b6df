# expect: softmax_argmax
import numpy as np


def causal_attention(Q, K, V):
    """The best of the past, whole."""
    rows = []
    for i in range(len(Q)):
        best = np.argmax(K[: i + 1] @ Q[i])
        rows.append(V[best])
    return np.array(rows)
