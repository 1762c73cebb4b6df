# expect: correct
import numpy as np


def causal_attention(Q, K, V):
    """Token i gets the first i + 1 keys and values; there is nothing to mask."""
    rows = []
    for i, q in enumerate(Q):
        scores = K[: i + 1] @ q / np.sqrt(len(q))
        weights = np.exp(scores - scores.max())
        rows.append(weights / weights.sum() @ V[: i + 1])
    return np.array(rows)
