"""What naive attention cannot help: it is symmetric, and its longest token always prefers itself."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from grader.attention.projection import Array


def asymmetry(logits: Array) -> float:
    """The largest |s_ij − s_ji|: 0 means that every two tokens look at each other alike. Logits are (S, S)."""
    return float(np.abs(logits - logits.T).max())


def is_symmetric_for_every_input(W_Q: Array, W_K: Array) -> bool:
    """Whether X W_Q W_Kᵀ Xᵀ is symmetric for every X of two tokens or more: exactly if W_Q W_Kᵀ is.

    Both are (d, d_k). Equal matrices are one case of it, not the only one.
    """
    return bool(np.allclose(W_Q @ W_K.T, W_K @ W_Q.T))


def prefers_itself(logits: Array) -> NDArray[np.bool_]:
    """For each token, whether no other gets a higher score from it than it gives itself: (S, S) -> (S,).

    For naive logits X Xᵀ this holds for every token at least as long as all others, by Cauchy and Schwarz:
    x_i · x_j ≤ |x_i| |x_j| ≤ |x_i|². A shorter token may or may not prefer itself.
    """
    preferred: NDArray[np.bool_] = np.diagonal(logits) >= logits.max(axis=-1)
    return preferred
