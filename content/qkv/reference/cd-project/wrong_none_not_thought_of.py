# expect: code_raised
import numpy as np


def project(x, W, b=None):
    """Forgets that the bias may be missing."""
    return np.einsum("...i,ij->...j", x, W) + b
