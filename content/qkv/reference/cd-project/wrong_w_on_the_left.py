# expect: w_transposed
import numpy as np


def project(x, W, b=None):
    """W x, the column convention's formula on rows."""
    q = W @ x
    return q if b is None else q + b
