# expect: code_mutated
import numpy as np


def causal_attention(Q, K, V):
    """From the last token to the first, each result goes where nobody needs the value any more: into the caller's V."""
    for i in reversed(range(len(Q))):
        s = K[: i + 1] @ Q[i] / np.sqrt(Q.shape[1])
        w = np.exp(s - s.max())
        V[i] = w @ V[: i + 1] / w.sum()
    return V
