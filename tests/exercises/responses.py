"""Responses to the items of the tiny curriculum, as a learner would send them."""

from __future__ import annotations

import numpy as np

from exercises.models import Attempt

RIGHT_CODE = "def project(x, W):\n    return x @ W\n"
WRONG_CODE = "def project(x, W):\n    return -(x @ W)\n"


def typed(values: np.ndarray) -> dict:
    return {"fields": {"q": [[f"{value:g}" for value in values]]}}


def givens(attempt: Attempt) -> tuple[np.ndarray, np.ndarray]:
    values = attempt.variant["values"]
    return np.array(values["x"]), np.array(values["W_Q"])


def right_numbers(attempt: Attempt) -> dict:
    x, W_Q = givens(attempt)
    return typed(x @ W_Q)


def transposed_numbers(attempt: Attempt) -> dict:
    """What somebody sends who multiplies W from the wrong side: the misconception `w_transposed`."""
    x, W_Q = givens(attempt)
    return typed(W_Q @ x)


def half_right_numbers(attempt: Attempt) -> dict:
    x, W_Q = givens(attempt)
    return typed(x @ W_Q + np.array([0, 100]))
