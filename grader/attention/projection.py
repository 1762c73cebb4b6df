"""Projection: a token vector recombined by a learned matrix, in either convention."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.floating[Any]]


def project_rows(X: Array, W: Array, b: Array | None = None) -> Array:
    """Row convention: x W + b for every token.

    X is (..., d), a token or many, each a row; W is (d, d_k); b is (d_k,). Returns (..., d_k).
    """
    product = X @ W  # (..., d_k)
    return product if b is None else product + b


def project_columns(W: Array, X: Array, b: Array | None = None) -> Array:
    """Column convention: W x + b for every token.

    W is (d_k, d); X is (d,) for one token or (..., d, S), each token a column; b is (d_k,). Returns (d_k,) or
    (..., d_k, S). This W is the transpose of the row convention's: W_q = W_Qᵀ.
    """
    product = W @ X  # (d_k,) or (..., d_k, S)
    if b is None:
        return product
    # One bias a row, the same for every column: without the new axis NumPy would lay b along the tokens.
    return product + (b if X.ndim == 1 else b[:, None])
