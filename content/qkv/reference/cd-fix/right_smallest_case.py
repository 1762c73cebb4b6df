# expect: correct
import numpy as np


def attention(Q, K, V):
    """Row by row, so that no axis can be mistaken."""
    out = []
    for q in Q:
        s = K @ q / np.sqrt(len(q))
        w = np.exp(s - s.max())
        out.append(w @ V / w.sum())
    return np.stack(out)


def failing_case():
    """One query, two keys, everything of width 1."""
    return np.zeros((1, 1)), np.zeros((2, 1)), np.ones((2, 1))
