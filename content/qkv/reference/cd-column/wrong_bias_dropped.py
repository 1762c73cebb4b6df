# expect: bias_dropped
import numpy as np


def project_columns(W, X, b=None):
    """The bias is asked for and forgotten."""
    return np.einsum("ij,j...->i...", W, X)
