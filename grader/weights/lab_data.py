"""A head's look at one sentence as plain JSON: what a lesson shows, and what a lab opens."""

from __future__ import annotations

import json
from typing import Any

import numpy as np

from grader.attention.attention import dot_logits, scale_logits
from grader.attention.projection import Array
from grader.attention.softmax import softmax
from grader.weights.bert import HeadActivations

DECIMALS = 4


def lab_data(tokens: list[str], head: HeadActivations, source: dict[str, Any]) -> dict[str, Any]:
    """Tokens, q, k, v (S, d_head), scaled logits and attention weights (S, S), and where all of it comes from.

    q, k and v are rounded first and the rest follows from the rounded ones, so that whoever works it out again from
    the file gets what the file says.
    """
    q, k, v = (np.round(array, DECIMALS) for array in (head.q, head.k, head.v))
    logits = scale_logits(dot_logits(q, k), k)
    return {
        "format": 1,
        "source": source,
        "tokens": tokens,
        "scale": round(float(k.shape[-1] ** -0.5), 6),
        "q": _rows(q),
        "k": _rows(k),
        "v": _rows(v),
        "logits": _rows(logits),
        "attn_weights": _rows(softmax(logits)),
    }


def _rows(matrix: Array) -> list[list[float]]:
    """Four decimals: far finer than a page shows. Adding zero turns −0 into 0."""
    rows: list[list[float]] = (np.round(matrix, DECIMALS) + 0.0).tolist()
    return rows


def lab_text(data: dict[str, Any]) -> str:
    """The data as JSON that a person can read and a diff can show: one row of a matrix a line."""
    entries = [f"  {json.dumps(key)}: {_entry_text(value)}" for key, value in data.items()]
    return "{\n" + ",\n".join(entries) + "\n}\n"


def _entry_text(value: object) -> str:
    if isinstance(value, list) and isinstance(value[0], list):
        return "[\n" + ",\n".join(f"    {json.dumps(row)}" for row in value) + "\n  ]"
    return json.dumps(value, ensure_ascii=False)
