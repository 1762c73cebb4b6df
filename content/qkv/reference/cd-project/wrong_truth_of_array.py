# expect: code_raised
import numpy as np


def project(x, W, b=None):
    """`if b:` asks an array for one truth, and an array of several numbers has none."""
    y = np.dot(x, W)
    if b:
        y = y + b
    return y
