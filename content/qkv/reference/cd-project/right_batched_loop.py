# expect: correct
import numpy as np


def project(x, W, b=0.0):
    """One token is a product of a vector and a matrix; anything longer is a stack of shorter ones."""
    if b is None:
        b = 0.0
    if x.ndim == 1:
        return x @ W + b
    return np.stack([project(part, W, b) for part in x])
