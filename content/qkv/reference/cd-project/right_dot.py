# expect: correct
import numpy as np


def project(x, W, b=None):
    """np.dot sums over the last size of x and the first of W, whatever stands before."""
    out = np.dot(x, W)
    if b is None:
        return out
    return np.add(out, b)
