# expect: correct
import numpy as np


def project(x, W, b=None):
    """Worked in the column convention and turned back: both conventions give the same numbers."""
    columns = W.T @ np.swapaxes(np.atleast_2d(x), -1, -2)
    rows = np.swapaxes(columns, -1, -2)
    q = rows[0] if np.ndim(x) == 1 else rows
    return q if b is None else q + b
