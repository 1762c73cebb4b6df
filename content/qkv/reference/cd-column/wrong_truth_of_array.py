# expect: code_raised
import numpy as np


def project_columns(W, X, b=None):
    """`b or 0`: which of several numbers should be the truth?"""
    b = np.asarray(b or 0)
    return W @ X + b
