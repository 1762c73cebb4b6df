"""What grading one program costs, as a multiple of a bare start of Python with NumPy.

Everything is in it that a worker does for a submission: reading the job, drawing the cases, the jail, the diagnosis, the
smallest call that fails, and the mark as JSON. Each round draws new cases, and both sides take turns.
"""

from __future__ import annotations

import json
import tomllib
from collections.abc import Sequence
from itertools import count
from pathlib import Path
from typing import Any, Final

from bench.report import Figure
from bench.timing import bare_start, median, seconds_of
from grader.bank.items import read_item
from grader.bank.needs import misconceptions_needed
from grader.bank.table import Table
from grader.grading import grade_code
from grader.sandbox import Sandbox

NAME: Final = "grade"
ROUNDS: Final = 20
MISCONCEPTIONS: Final = Path(__file__).parents[1] / "content" / "misconceptions.toml"
# Twelve counted cases of the longest derivation that a program stands for.
ITEM: Final = """
slug = "cd-attend"
kind = "code"
convention = "row"
max_score = 5
title = { zh-hans = "写出注意力", en = "Write attention" }
prompt = { zh-hans = "请写出注意力。", en = "Write attention." }
starter = { zh-hans = "def attention(Q, K, V, mask=None):", en = "def attention(Q, K, V, mask=None):" }
function = "attention"
parameters = ["Q", "K", "V", "mask"]
optional = ["mask"]
dtype = { mask = "bool" }
credit = { values = 3, stability = 1, inputs = 1 }
sizes = { N = 2, S = 3, d_k = 4, d_v = 2 }
case = [
  { group = "visible", seed = 1, without = ["mask"], sizes = { N = 2, S = 3, d_k = 4, d_v = 2 } },
  { group = "visible", seed = 2, sizes = { N = 3, S = 2, d_k = 4, d_v = 2 } },
  { group = "hidden", without = ["mask"], sizes = [{ N = 4, S = 2, d_k = 3, d_v = 5 }, { N = 3, S = 3, d_k = 3, d_v = 3 }] },
  { group = "hidden", sizes = [{ N = 2, S = 4, d_k = 3, d_v = 2 }, { N = 3, S = 3, d_k = 3, d_v = 3 }] },
  { group = "hidden", property = "stability", scale = { Q = 1000 }, sizes = { N = 2, S = 3, d_k = 2, d_v = 2 } },
  { group = "hidden", property = "inputs", sizes = { N = 2, S = 3, d_k = 4, d_v = 2 }, variations = ["float32", "int64", "fortran", "strided", "read_only"] },
]
[given]
Q = { shape = ["N", "d_k"], draw = [-2, -1, -0.5, 0.5, 1, 2] }
K = { shape = ["S", "d_k"], draw = [-2, -1, -0.5, 0.5, 1, 2] }
V = { shape = ["S", "d_v"], draw = [-2, -1, -0.5, 0.5, 1, 2] }
mask = { shape = ["N", "S"], draw = [0, 1, 1] }
[steps]
logits = "dot_logits(Q, K)"
scaled = "scale_logits(logits, K)"
attn_weights = "masked_softmax(scaled, mask)"
context = "mix(attn_weights, V)"
[ask]
context = {}
"""
PROGRAM: Final = """
import numpy as np


def attention(Q, K, V, mask=None):
    logits = Q @ K.T{scale}
    if mask is not None:
        logits = np.where(mask, logits, -np.inf)
    shares = np.exp(logits - logits.max(axis=-1, keepdims=True))
    return shares / shares.sum(axis=-1, keepdims=True) @ V{twist}
"""
RIGHT: Final = PROGRAM.format(scale=" / np.sqrt(K.shape[-1])", twist="")
NAMED: Final = PROGRAM.format(scale="", twist="")
UNEXPLAINED: Final = PROGRAM.format(scale=" / np.sqrt(K.shape[-1])", twist=" * 1.37")


def measure() -> Sequence[Figure]:
    """Every figure of the suite. Raises SandboxUnavailable where no code can run."""
    definition = item_definition()
    with Sandbox() as jail:
        ratios = [grade_ratio(definition, program, jail, ROUNDS) for program in (RIGHT, NAMED, UNEXPLAINED)]
    texts = ("a right program", "a wrong one, its mistake named", "a wrong one that nothing explains")
    return tuple(
        Figure(f"grade_{name}_ratio", f"grading {text}, in bare starts", ratio, "×", "<= 0.25")
        for name, text, ratio in zip(("right", "named", "unexplained"), texts, ratios, strict=True)
    )


def grade_ratio(definition: dict[str, Any], program: str, jail: Sandbox, rounds: int) -> float:
    """The median over rounds of one grading against one bare start; a first grading, uncounted, warms both up."""
    seeds = count()

    def grade() -> object:
        graded = grade_code(definition, next(seeds), program, jail)
        if graded.mark is None:
            raise RuntimeError(f"nothing was graded: {graded.failure}")
        return json.dumps(graded.to_json())

    grade()
    return median([seconds_of(grade) / seconds_of(bare_start) for _ in range(rounds)])


def item_definition() -> dict[str, Any]:
    """The item as the bank would store it, with the words of the course's misconceptions."""
    bare = {**tomllib.loads(ITEM), "misconceptions": {}}
    words = tomllib.loads(MISCONCEPTIONS.read_text(encoding="utf-8"))
    return {**bare, "misconceptions": {slug: words[slug] for slug in misconceptions_needed(read_item(Table(bare)))}}
