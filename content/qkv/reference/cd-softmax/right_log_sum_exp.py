# expect: correct
import numpy as np


def softmax(logits, axis=-1):
    """exp(l − log Σ e^l), with a sum that does not overflow."""
    total = np.logaddexp.reduce(logits, axis=axis, keepdims=True)
    return np.exp(logits - total)
