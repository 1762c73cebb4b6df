"""Slips of a projection: W from the wrong side, W or x left out, and everything that can happen to a bias."""

from __future__ import annotations

import numpy as np

from grader.attention.projection import Array, project_columns, project_rows
from grader.derivation.slips.wrong_forward import WrongForward


def rows_w_transposed(X: Array, W: Array, b: Array | None = None) -> Array:
    """The product x Wᵀ; for one vector this is W x."""
    return project_rows(X, W.T, b)


def rows_w_from_left(X: Array, W: Array, b: Array | None = None) -> Array:
    """The product W X; it has a value only where the sizes meet."""
    product = W @ X
    return product if b is None else product + b


def rows_input_ignored(X: Array, W: Array, b: Array | None = None) -> Array:
    """The columns of W added up, as if x were all ones."""
    return project_rows(np.ones_like(X), W, b)


def rows_skipped(X: Array, *_parameters: Array) -> Array:
    """The input itself."""
    return X


def rows_bias_dropped(X: Array, W: Array, _b: Array) -> Array:
    """No bias: x W."""
    return project_rows(X, W)


def rows_bias_twice(X: Array, W: Array, b: Array) -> Array:
    """The bias added twice: x W + 2 b."""
    return project_rows(X, W, 2 * b)


def rows_bias_per_term(X: Array, W: Array, b: Array) -> Array:
    """The bias inside the sum, added with every term: x W + d b."""
    return project_rows(X, W, len(W) * b)


def rows_bias_before_product(X: Array, W: Array, b: Array) -> Array:
    """The bias added to x: (x + b) W."""
    return project_rows(X + b, W)


def rows_bias_wrong_axis(X: Array, W: Array, b: Array) -> Array:
    """One bias for each token instead of one for each dimension."""
    return project_rows(X, W) + b[:, None]


def columns_w_transposed(W: Array, X: Array, b: Array | None = None) -> Array:
    """The product Wᵀ X; for one vector this is x W."""
    return project_columns(W.T, X, b)


def columns_input_ignored(W: Array, X: Array, b: Array | None = None) -> Array:
    """The rows of W added up, as if x were all ones."""
    return project_columns(W, np.ones_like(X), b)


def columns_skipped(_matrix: Array, X: Array, *_bias: Array) -> Array:
    """The input itself, in the column convention."""
    return X


def columns_bias_dropped(W: Array, X: Array, _b: Array) -> Array:
    """No bias: W X."""
    return project_columns(W, X)


def columns_bias_twice(W: Array, X: Array, b: Array) -> Array:
    """The bias added twice: W X + 2 b."""
    return project_columns(W, X, 2 * b)


def columns_bias_per_term(W: Array, X: Array, b: Array) -> Array:
    """The bias inside the sum, added with every term: W X + d b."""
    return project_columns(W, X, W.shape[-1] * b)


def columns_bias_before_product(W: Array, X: Array, b: Array) -> Array:
    """The bias added to X: W (X + b)."""
    return project_columns(W, X + (b if X.ndim == 1 else b[:, None]))


def columns_bias_wrong_axis(W: Array, X: Array, b: Array) -> Array:
    """The bias laid along the tokens, as NumPy lays a flat vector."""
    return project_columns(W, X) + b


PROJECTION_SLIPS = (
    WrongForward(
        "w_transposed", "project_rows", (2, 3), rows_w_transposed, r"{0} {1}^{{\top}}", r"{0} {1}^{{\top}} + {2}"
    ),
    WrongForward("w_transposed", "project_rows", (2, 3), rows_w_from_left, "{1} {0}", "{1} {0} + {2}"),
    WrongForward(
        "projection_ignores_input",
        "project_rows",
        (2, 3),
        rows_input_ignored,
        r"\sum_m {{{1}}}_m",
        r"\sum_m {{{1}}}_m + {2}",
    ),
    WrongForward("projection_skipped", "project_rows", (2, 3), rows_skipped, "{0}"),
    WrongForward("bias_dropped", "project_rows", (3,), rows_bias_dropped, "{0} {1}"),
    WrongForward("bias_twice", "project_rows", (3,), rows_bias_twice, "{0} {1} + 2 {2}"),
    WrongForward("bias_per_term", "project_rows", (3,), rows_bias_per_term, "{0} {1} + d {2}"),
    WrongForward("bias_before_product", "project_rows", (3,), rows_bias_before_product, "({0} + {2}) {1}"),
    WrongForward("bias_wrong_axis", "project_rows", (3,), rows_bias_wrong_axis, r"{0} {1} + {2}^{{\top}}"),
    WrongForward(
        "w_transposed", "project_columns", (2, 3), columns_w_transposed, r"{0}^{{\top}} {1}", r"{0}^{{\top}} {1} + {2}"
    ),
    WrongForward(
        "projection_ignores_input",
        "project_columns",
        (2, 3),
        columns_input_ignored,
        r"\sum_m {{{0}}}_m",
        r"\sum_m {{{0}}}_m + {2}",
    ),
    WrongForward("projection_skipped", "project_columns", (2, 3), columns_skipped, "{1}"),
    WrongForward("bias_dropped", "project_columns", (3,), columns_bias_dropped, "{0} {1}"),
    WrongForward("bias_twice", "project_columns", (3,), columns_bias_twice, "{0} {1} + 2 {2}"),
    WrongForward("bias_per_term", "project_columns", (3,), columns_bias_per_term, "{0} {1} + d {2}"),
    WrongForward("bias_before_product", "project_columns", (3,), columns_bias_before_product, "{0} ({1} + {2})"),
    WrongForward("bias_wrong_axis", "project_columns", (3,), columns_bias_wrong_axis, r"{0} {1} + {2}^{{\top}}"),
)
