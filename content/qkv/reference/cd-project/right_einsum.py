# expect: correct
import numpy as np


def project(x, W, b=None):
    """The same sum with its indices written out."""
    q = np.einsum("...d,dk->...k", x, W)
    if b is not None:
        q += b  # q is ours; the arguments stay as they are
    return q
