# expect: correct
import numpy as np


def softmax(logits, axis=-1):
    """Swaps the axis with the first, so that plain broadcasting serves."""
    first = np.swapaxes(logits, axis, 0)
    e = np.exp(first - first.max(axis=0))
    return np.swapaxes(e / e.sum(axis=0), axis, 0)
