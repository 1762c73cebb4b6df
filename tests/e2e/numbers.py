"""The numbers of a learner's item, worked out right or by a named mistake, and the typing of them."""

from __future__ import annotations

import numpy as np
from playwright.sync_api import Page

from exercises.models import Attempt, User

Vectors = dict[str, np.ndarray]


def projections(user: User, *, W_for_q: str = "W_Q") -> Vectors:
    """q, k and v of the item pj-qkv, q by the matrix named."""
    attempt = Attempt.objects.filter(enrollment__user=user, item__slug="pj-qkv").latest("number")
    given = {name: np.array(value) for name, value in attempt.variant["values"].items()}
    matrices = {"q": given[W_for_q], "k": given["W_K"], "v": given["W_V"]}
    return {name: given["x"] @ matrix for name, matrix in matrices.items()}


def type_in(page: Page, vectors: Vectors) -> None:
    for name, vector in vectors.items():
        for column, value in enumerate(vector):
            page.fill(f"#pj-qkv-{name}-0-{column}", f"{value:g}")
