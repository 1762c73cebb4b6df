# expect: code_dtype
import numpy as np


def project(x, W, b=None):
    """Half precision, because models are stored that way."""
    x = x.astype(np.float16)
    W = W.astype(np.float16)
    q = x @ W
    return q if b is None else q + b.astype(np.float16)
