# expect: code_example
import numpy as np


def attention(Q, K, V):
    """Mended."""
    logits = Q @ K.T / np.sqrt(K.shape[-1])
    e = np.exp(logits - logits.max(axis=-1, keepdims=True))
    return e / e.sum(axis=-1, keepdims=True) @ V


def failing_case():
    """Shown and not returned."""
    print(np.ones((1, 2)), np.ones((2, 2)), np.ones((2, 1)))
