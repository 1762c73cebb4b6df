# expect: bias_wrong_axis
import numpy as np


def project(x, W, b=None):
    """The column convention's b[:, None] on rows: one number for each token."""
    q = x @ W
    return q if b is None else q + b[:, None]
