"""The embedding table: the one place where a token's vector can simply be looked up."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from grader.attention.projection import Array


def look_up(token_ids: NDArray[np.integer[Any]], table: Array) -> Array:
    """Rows of the table: ids (..., S) and a table (vocabulary, d) give (..., S, d).

    An id is finite and known before the model runs, so its row can be stored. q, k and v cannot: their input is x,
    which from the second layer on depends on the whole sentence. Raises IndexError for an id that is not in the table,
    a negative one too.
    """
    if token_ids.size and not 0 <= token_ids.min() <= token_ids.max() < len(table):
        raise IndexError(f"token ids must lie from 0 to {len(table) - 1}")
    vectors: Array = table[token_ids]  # (..., S, d)
    return vectors
