# expect: code_broadcast
import numpy as np


def softmax(logits, axis=-1):
    """Without keepdims the sums lie along the wrong axis, or fit nowhere."""
    e = np.exp(logits - logits.max(axis=axis, keepdims=True))
    return e / e.sum(axis=axis)
