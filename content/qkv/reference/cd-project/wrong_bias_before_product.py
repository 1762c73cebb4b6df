# expect: bias_before_product
import numpy as np


def project(x, W, b=None):
    """The bias goes through the matrix as well."""
    if b is None:
        return x @ W
    return (x + b) @ W
