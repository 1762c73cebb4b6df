# expect: correct
import numpy as np


def _one(line):
    top = line.max()
    e = [np.exp(x - top) for x in line]
    return np.array(e) / sum(e)


def softmax(logits, axis=-1):
    """One line at a time."""
    return np.apply_along_axis(_one, axis, logits)
