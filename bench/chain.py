"""Marking the longest chain of the course, from tokens to mixed values, against one evaluation of its derivation."""

from __future__ import annotations

import tomllib
from collections.abc import Sequence
from itertools import count
from pathlib import Path
from typing import Any, Final

from bench.report import Figure
from bench.timing import times_as_long
from grader.bank.items import parse_item, read_item
from grader.bank.needs import misconceptions_needed
from grader.bank.table import Table
from grader.derivation.variants import separable_variant
from grader.marking.items import NumericItem
from grader.marking.judge import mark_response
from grader.marking.variants import draw_variant, givens_of

MISCONCEPTIONS: Final = Path(__file__).parents[1] / "content" / "misconceptions.toml"
SEEDS_APART: Final = 1_000
CHAIN: Final = """
slug = "mx-chain"
kind = "numeric"
convention = "row"
max_score = 1
title = { zh-hans = "从词元到混合", en = "From tokens to the mixture" }
prompt = { zh-hans = "请算出每个词元的输出。", en = "Work out the output of every token." }
sizes = { S = 4, d = 3, d_k = 2 }
[given]
X = { shape = ["S", "d"], draw = [-1, -0.5, 0, 0.5, 1, 2] }
W_Q = { shape = ["d", "d_k"], draw = [-1, -0.5, 0.5, 1, 1.5] }
W_K = { like = "W_Q" }
W_V = { like = "W_Q" }
[steps]
Q = "project_rows(X, W_Q)"
K = "project_rows(X, W_K)"
V = "project_rows(X, W_V)"
logits = "dot_logits(Q, K)"
attn_weights = "softmax(logits)"
context = "mix(attn_weights, V)"
[ask]
context = { decimals = 3 }
"""


def chain_figures(rounds: int) -> Sequence[Figure]:
    """A wrong answer that every slip, pair and accident is tried on in vain, and one variant that tells slips apart."""
    item = chain_item()
    derivation, variant = item.derivation, draw_variant(item, seed=1)
    givens = givens_of(variant)
    wrong = wrong_response(item, variant)
    seeds = count(0, SEEDS_APART)

    def forward() -> object:
        return derivation.evaluate(givens)

    marking = times_as_long(lambda: mark_response(item, variant, wrong), forward, rounds)
    drawing = times_as_long(lambda: separable_variant(derivation, next(seeds)), forward, rounds)
    return (
        Figure(
            "diagnosis_ratio", "marking a wrong mx-chain answer in full, in forward evaluations", marking, "×", "<= 150"
        ),
        Figure("variant_ratio", "drawing a separable variant of it, in forward evaluations", drawing, "×", "<= 200"),
    )


def chain_item() -> NumericItem:
    """The item as the bank would read it, with the words of the course's misconceptions."""
    bare = {**tomllib.loads(CHAIN), "misconceptions": {}}
    words = tomllib.loads(MISCONCEPTIONS.read_text(encoding="utf-8"))
    needed = misconceptions_needed(read_item(Table(bare)))
    item = parse_item({**bare, "misconceptions": {slug: words[slug] for slug in needed}})
    if not isinstance(item, NumericItem):
        raise TypeError("the chain is answered in numbers")
    return item


def wrong_response(item: NumericItem, variant: dict[str, Any]) -> dict[str, Any]:
    """Numbers that are near the right ones and that no method gives."""
    right = item.derivation.evaluate(givens_of(variant))["context"]
    return {"fields": {"context": (right * 1.37 + 0.11).round(3).tolist()}}
