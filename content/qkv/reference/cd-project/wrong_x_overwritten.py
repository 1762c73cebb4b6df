# expect: code_mutated
import numpy as np


def project(x, W, b=None):
    """Tidies up after itself, in the caller's own array."""
    out = x @ W if b is None else x @ W + b
    x[...] = 0
    return out
