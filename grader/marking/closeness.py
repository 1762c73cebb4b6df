"""When two numbers count as equal: shape first, then finiteness, then distance, scaled by the key alone."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from grader.attention.projection import Array

CODE_RTOL = {np.dtype(np.float64): 1e-6, np.dtype(np.float32): 1e-4}
CODE_ATOL = {np.dtype(np.float64): 1e-9, np.dtype(np.float32): 1e-6}


def close_cells(got: Array, expected: Array, allowed: Array | float) -> NDArray[np.bool_]:
    """Cell by cell, |got − expected| ≤ allowed. Both have the same shape; NaN and infinity are close to nothing."""
    with np.errstate(invalid="ignore"):
        return np.isfinite(got) & np.isfinite(expected) & (np.abs(got - expected) <= allowed)


def is_close(got: Array, expected: Array, allowed: Array | float) -> bool:
    """Whether the shapes are equal and every cell is close. Arrays of different shapes are never broadcast."""
    return got.shape == expected.shape and bool(close_cells(got, expected, allowed).all())


def code_tolerance(got: Array, expected: Array, *, is_single: bool = False) -> Array:
    """What a program's result may be off: a float32 result is judged at the precision it can have.

    `is_single` says that float32 went in: a program may then have rounded on the way, whatever it returns.

    A computation of small numbers out of large ones loses digits of the large ones, so the absolute part grows with the
    largest expected value.
    """
    precision = np.dtype(np.float32 if is_single or got.dtype == np.float32 else np.float64)
    largest = float(np.abs(expected).max(initial=0.0))
    return CODE_ATOL[precision] * max(1.0, largest) + CODE_RTOL[precision] * np.abs(expected)
