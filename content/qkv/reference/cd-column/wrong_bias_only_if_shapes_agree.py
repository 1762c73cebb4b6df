# expect: bias_dropped
import numpy as np


def project_columns(W, X, b=None):
    """Adds the bias only where it can see one, and a list is what it looks for."""
    q = W @ X
    if isinstance(b, (list, tuple)):
        q = q + np.array(b)[:, None]
    return q
