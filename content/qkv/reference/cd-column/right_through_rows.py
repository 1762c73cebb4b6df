# expect: correct
import numpy as np


def project_columns(W, X, b=None):
    """Turned into rows, where a flat bias lies right by itself, and turned back."""
    rows = X.T @ W.T
    if b is not None:
        rows = rows + b
    return rows.T
