# expect: correct
import numpy as np


def softmax(logits, axis=-1):
    """Brings the axis to the end, works there, and puts it back."""
    last = np.moveaxis(logits, axis, -1)
    e = np.exp(last - last.max(-1)[..., None])
    return np.moveaxis(e / e.sum(-1)[..., None], -1, axis)
