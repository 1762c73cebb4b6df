# expect: correct
import numpy as np


def softmax(logits, axis=-1):
    """keepdims by hand."""
    largest = np.expand_dims(np.amax(logits, axis=axis), axis)
    e = np.exp(np.subtract(logits, largest))
    return np.divide(e, np.expand_dims(np.add.reduce(e, axis=axis), axis))
