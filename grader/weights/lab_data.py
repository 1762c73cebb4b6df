"""A head's look at one sentence as plain JSON: what a lesson shows, and what a lab opens."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

import numpy as np

from grader.attention.attention import dot_logits, scale_logits
from grader.attention.projection import Array
from grader.weights.parts import HeadActivations, look

DECIMALS = 4


def lab_data(tokens: list[str], head: HeadActivations, about: Mapping[str, Any]) -> dict[str, Any]:
    """Tokens with their Q, K, V (S, d_head) and the rules of their scores; beside `about`, these and the weights (S, S).

    Q, K and V are rounded first and the rest follows from the rounded ones, so that whoever works it out again from
    the file gets what the file says.
    """
    Q, K, V = (np.round(array, DECIMALS) for array in (head.q, head.k, head.v))
    logits = scale_logits(dot_logits(Q, K), K)
    attn_weights = look(logits, is_causal=head.is_causal)
    derived = {"logits": _rows(logits), "attn_weights": _rows(attn_weights)}
    rules = {"scaled": True, "causal": head.is_causal}
    return {"about": {**about, **derived}, "tokens": tokens, **rules, "Q": _rows(Q), "K": _rows(K), "V": _rows(V)}


def _rows(matrix: Array) -> list[list[float]]:
    """Four decimals: far finer than a page shows. Adding zero turns −0 into 0."""
    rows: list[list[float]] = (np.round(matrix, DECIMALS) + 0.0).tolist()
    return rows


def lab_text(data: Mapping[str, Any]) -> str:
    """The data as JSON that a person can read and a diff can show: one row of a matrix a line."""
    return _laid_out(data) + "\n"


def _laid_out(value: object, margin: str = "") -> str:
    inner = margin + "  "
    if isinstance(value, Mapping):
        entries = [f"{inner}{json.dumps(key)}: {_laid_out(part, inner)}" for key, part in value.items()]
        return "{\n" + ",\n".join(entries) + f"\n{margin}}}"
    if isinstance(value, list) and isinstance(value[0], list):
        return "[\n" + ",\n".join(f"{inner}{json.dumps(row)}" for row in value) + f"\n{margin}]"
    return json.dumps(value, ensure_ascii=False)
