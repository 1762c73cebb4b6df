"""Slips of a cache that grows by one row or column a token: where the new one goes, and whether it goes anywhere."""

from __future__ import annotations

import numpy as np

from grader.attention.projection import Array
from grader.derivation.slips.wrong_forward import WrongForward


def newest_first(rows: Array, row: Array) -> Array:
    """The new row on top."""
    return np.vstack([row, rows])


def not_extended(rows: Array, _row: Array) -> Array:
    """The rows as they were: the new token cannot see itself."""
    return rows


def old_rows_dropped(_rows: Array, row: Array) -> Array:
    """The new row alone: the past is forgotten."""
    return np.atleast_2d(row)


def newest_left(columns: Array, column: Array) -> Array:
    """The new column before all others."""
    return np.hstack([column, columns])


def old_columns_dropped(_columns: Array, column: Array) -> Array:
    """The new column alone: the past is forgotten."""
    return column


CACHE_SLIPS = (
    WrongForward("cache_newest_first", "append_row", (2,), newest_first, "({1} ; {0})", everywhere=True),
    WrongForward("cache_not_extended", "append_row", (2,), not_extended, "{0}", everywhere=True),
    WrongForward("cache_dropped", "append_row", (2,), old_rows_dropped, "({1})", everywhere=True),
    WrongForward("cache_newest_first", "append_column", (2,), newest_left, "({1} , {0})", everywhere=True),
    WrongForward("cache_not_extended", "append_column", (2,), not_extended, "{0}", everywhere=True),
    WrongForward("cache_dropped", "append_column", (2,), old_columns_dropped, "({1})", everywhere=True),
)
