"""The numbers of a learner's item, worked out right or by a named mistake, and the typing of them."""

from __future__ import annotations

import numpy as np
from playwright.sync_api import Page

from exercises.models import Attempt, User

Vectors = dict[str, np.ndarray]


def attempt_of(user: User, slug: str) -> Attempt:
    """The learner's current attempt at an item whose page was opened."""
    return Attempt.objects.filter(enrollment__user=user, item__slug=slug).latest("number")


def projections(user: User, *, W_for_q: str = "W_Q") -> Vectors:
    """q, k and v of the item pj-qkv, q by the matrix named."""
    given = {name: np.array(value) for name, value in attempt_of(user, "pj-qkv").variant["values"].items()}
    matrices = {"q": given[W_for_q], "k": given["W_K"], "v": given["W_V"]}
    return {name: given["x"] @ matrix for name, matrix in matrices.items()}


def type_in(page: Page, vectors: Vectors) -> None:
    for name, vector in vectors.items():
        for column, value in enumerate(vector):
            page.fill(f"#pj-qkv-{name}-0-{column}", f"{value:g}")
