# expect: softmax_logged
import numpy as np


def softmax(logits, axis=-1):
    """log softmax: the exponential at the end is missing."""
    shifted = logits - logits.max(axis=axis, keepdims=True)
    return shifted - np.log(np.exp(shifted).sum(axis=axis, keepdims=True))
