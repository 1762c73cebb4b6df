"""The KV cache: keys and values of the tokens so far, so that one more token costs one row and not all of them.

Nothing but K and V is worth keeping. A query is used once, by its own token; the attention weights of the past are
never asked for again.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from grader.attention.attention import attention, causal_mask
from grader.attention.projection import Array, project_rows


@dataclass(frozen=True, slots=True)
class Projections:
    """The three learned matrices of one head: W_Q and W_K are (d, d_k), W_V is (d, d_v)."""

    W_Q: Array
    W_K: Array
    W_V: Array


@dataclass(frozen=True, slots=True)
class KVCache:
    """Keys (..., S, d_k) and values (..., S, d_v) of the S tokens so far."""

    K: Array
    V: Array

    @property
    def past(self) -> int:
        """How many tokens are kept."""
        return int(self.K.shape[-2])

    def extended(self, K: Array, V: Array) -> KVCache:
        """A cache with more tokens after those it has; this one stays as it is."""
        return KVCache(np.concatenate([self.K, K], axis=-2), np.concatenate([self.V, V], axis=-2))


def append_row(rows: Array, row: Array | None = None) -> Array:
    """One more token below those there are: (S, d_k) and (d_k,) or (1, d_k) -> (S + 1, d_k). Alone, (d_k,) -> (1, d_k)."""
    return rows[None] if row is None else np.vstack([rows, row])  # (S + 1, d_k)


def append_column(columns: Array, column: Array) -> Array:
    """The same in the column convention, to the right of those there are: (d_k, S) and (d_k, 1) -> (d_k, S + 1)."""
    return np.hstack([columns, column])  # (d_k, S + 1)


def prefill(X: Array, parameters: Projections) -> tuple[Array, KVCache]:
    """The whole prompt at once, causally masked: X (..., S, d) -> outputs (..., S, d_v), and the cache of its S tokens."""
    nobody = X[..., :0, :]  # (..., 0, d)
    nothing = KVCache(project_rows(nobody, parameters.W_K), project_rows(nobody, parameters.W_V))
    return decode(X, nothing, parameters)


def decode(X: Array, cache: KVCache, parameters: Projections) -> tuple[Array, KVCache]:
    """New tokens after those in the cache, most often one: X (..., n, d) -> outputs (..., n, d_v), and the longer cache.

    Only the new rows are projected; their queries meet every key, old and new.
    """
    Q = project_rows(X, parameters.W_Q)  # (..., n, d_k)
    longer = cache.extended(project_rows(X, parameters.W_K), project_rows(X, parameters.W_V))
    mask = causal_mask(X.shape[-2], past=cache.past)  # (n, past + n)
    return attention(Q, longer.K, longer.V, mask), longer
