"""Small items for the tests of the grader, written as content files write them."""

from __future__ import annotations

import tomllib
from functools import cache
from typing import Any

from grader.bank import parse_item
from grader.bank.items import read_item
from grader.bank.needs import misconceptions_needed
from grader.bank.table import Table
from grader.marking.items import Item

WORDS = {"zh-hans": "词", "en": "word"}
HEAD = """
title = { zh-hans = "题", en = "item" }
prompt = { zh-hans = "请算。", en = "Work it out." }
"""

QKV = (
    HEAD
    + """
slug = "qkv"
kind = "numeric"
convention = "row"
max_score = 3
sizes = { d = 2, d_k = 2 }
[given]
x = { shape = ["d"], draw = [-2, -1, 1, 2, 3] }
W_Q = { shape = ["d", "d_k"], draw = [-1, -0.5, 0, 0.5, 1, 2] }
W_K = { like = "W_Q" }
W_V = { like = "W_Q" }
[steps]
q = "project_rows(x, W_Q)"
k = "project_rows(x, W_K)"
v = "project_rows(x, W_V)"
[ask]
q = { decimals = 2 }
k = { decimals = 2 }
v = { decimals = 2 }
"""
)

WEIGHTS = (
    HEAD
    + """
slug = "weights"
kind = "numeric"
convention = "row"
max_score = 2
sizes = { S = 3, d_k = 2 }
[given]
Q = { shape = ["S", "d_k"], draw = [-1, -0.5, 0.5, 1, 1.5] }
K = { like = "Q" }
[steps]
logits = "dot_logits(Q, K)"
attn_weights = "softmax(logits)"
[ask]
logits = { decimals = 2, rows = [1] }
attn_weights = { decimals = 3, rows = [1] }
"""
)

COLUMNS = (
    HEAD
    + """
slug = "columns"
kind = "numeric"
convention = "column"
max_score = 4
sizes = { d = 2, d_k = 2, S = 2 }
[given]
W_q = { shape = ["d_k", "d"], draw = [-1, -0.5, 0, 0.5, 1, 2] }
X = { shape = ["d", "S"], draw = [-2, -1, 1, 2, 3] }
b_q = { shape = ["d_k"], draw = [-1.5, -0.5, 0.5, 1] }
[steps]
Q = "project_columns(W_q, X, b_q)"
[ask]
Q = { decimals = 2 }
"""
)

CHAIN = (
    HEAD
    + """
slug = "chain"
kind = "numeric"
convention = "row"
max_score = 4
sizes = { S = 3, d = 3, d_k = 2, d_v = 2 }
[given]
X = { shape = ["S", "d"], draw = [-1, -0.5, 0, 0.5, 1, 2] }
W_Q = { shape = ["d", "d_k"], draw = [-1, -0.5, 0.5, 1, 1.5] }
W_K = { like = "W_Q" }
W_V = { shape = ["d", "d_v"], draw = [-1, -0.5, 0.5, 1, 1.5] }
[steps]
Q = "project_rows(X, W_Q)"
K = "project_rows(X, W_K)"
V = "project_rows(X, W_V)"
logits = "dot_logits(Q, K)"
scaled = "scale_logits(logits, K)"
attn_weights = "causal_softmax(scaled)"
context = "mix(attn_weights, V)"
[ask]
logits = { decimals = 2 }
scaled = { decimals = 3 }
attn_weights = { decimals = 3 }
context = { decimals = 3 }
"""
)

CHOICE = (
    HEAD
    + """
slug = "choice"
kind = "choice"
multiple = true
max_score = 1
[[option]]
key = "a"
text = { zh-hans = "甲", en = "first" }
right = true
feedback = { zh-hans = "对", en = "yes" }
[[option]]
key = "b"
text = { zh-hans = "乙", en = "second" }
right = true
feedback = { zh-hans = "对", en = "yes" }
[[option]]
key = "c"
text = { zh-hans = "丙", en = "third" }
right = false
feedback = { zh-hans = "不对", en = "no" }
misconception = "third_is_right"
"""
)

CODE = (
    HEAD
    + """
slug = "project"
kind = "code"
convention = "row"
max_score = 5
function = "project"
parameters = ["x", "W", "b"]
optional = ["b"]
starter = { zh-hans = "def project(x, W, b=None):", en = "def project(x, W, b=None):" }
sizes = { S = 3, d = 4, d_k = 2 }
[given]
x = { shape = ["S", "d"], draw = [-2, -1.5, -1, -0.5, 0.5, 1, 1.5, 2] }
W = { shape = ["d", "d_k"], draw = [-2, -1.5, -1, -0.5, 0.5, 1, 1.5, 2] }
b = { shape = ["d_k"], draw = [-2, -1.5, -1, -0.5, 0.5, 1, 1.5, 2] }
[steps]
q = "project_rows(x, W, b)"
[ask]
q = {}
[[case]]
group = "visible"
seed = 1
sizes = { S = 2, d = 3, d_k = 4 }
[[case]]
group = "hidden"
given = { x = ["d"] }
sizes = { d = 2, d_k = 2 }
[[case]]
group = "hidden"
without = ["b"]
sizes = { S = 4, d = 3, d_k = 3 }
[[case]]
group = "hidden"
sizes = { S = 3, d = 3, d_k = 3 }
"""
)

FREE_TEXT = (
    HEAD
    + """
slug = "why"
kind = "free_text"
max_score = 3
[[criterion]]
key = "match"
text = { zh-hans = "说到匹配", en = "speaks of matching" }
"""
)


def definition(toml: str) -> dict[str, Any]:
    """The definition as the bank would complete it: with a text for each misconception that the item can name."""
    bare = {**tomllib.loads(toml), "misconceptions": {}}
    texts = {
        slug: {
            "title": {"zh-hans": f"{slug} 题", "en": f"{slug} title"},
            "explanation": {"zh-hans": "算的是 ${used}$，要的是 ${asked}$", "en": "got ${used}$, asked ${asked}$"},
            "hint": WORDS,
        }
        for slug in misconceptions_needed(read_item(Table(bare)))
    }
    return {**bare, "misconceptions": texts}


@cache
def item(toml: str) -> Item:
    """The item of one of the texts above."""
    return parse_item(definition(toml))
