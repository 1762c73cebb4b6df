# expect: code_printed
import numpy as np


def project(x, W, b=None):
    """Shows the result instead of giving it back."""
    result = np.matmul(x, W)
    if b is not None:
        result = result + b
    print(result)
