# expect: softmax_axis_ignored
import numpy as np


def softmax(logits, axis=-1):
    """Thinks of rows only: a vector has no second axis."""
    out = np.empty_like(logits, dtype=float)
    for i in range(logits.shape[0]):
        for j in range(logits.shape[1]):
            out[i, j] = np.exp(logits[i, j] - logits[i].max())
        out[i] /= out[i].sum()
    return out
