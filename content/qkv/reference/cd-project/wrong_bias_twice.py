# expect: bias_twice
import numpy as np


def project(x, W, b=None):
    """The bias is added in place, and then once more on the way out."""
    q = x @ W
    if b is None:
        return q
    q += b
    return q + b
