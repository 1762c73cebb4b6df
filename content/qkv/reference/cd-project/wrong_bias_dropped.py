# expect: bias_dropped
import numpy as np


def project(x, W, b=None):
    """The bias is taken and never used."""
    return x @ W
