# expect: correct
import numpy as np


def project(x, W, b=None):
    """The formula as it stands: NumPy's product serves one token, a sentence and a batch alike."""
    q = x @ W
    return q if b is None else q + b
