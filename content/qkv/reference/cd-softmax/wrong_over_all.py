# expect: softmax_over_all
import numpy as np


def softmax(logits, axis=-1):
    """One sum for everything."""
    e = np.exp(logits - np.max(logits))
    return e / np.sum(e)
