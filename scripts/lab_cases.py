"""The cases that hold the script of labs to the core: tests/fixtures/lab_cases.json, written by the core itself.

`--write` writes the file; without it nothing happens but a check. A browser is given the same inputs and must come to the
same numbers (tests/e2e/test_lab.py).
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from grader.attention.analysis import asymmetry, prefers_itself  # noqa: E402 -- run as a file, too
from grader.attention.one_head import one_head  # noqa: E402
from grader.attention.projection import Array  # noqa: E402
from grader.marking.items import Goal, GoalKind, Lab  # noqa: E402
from grader.marking.lab_goals import is_reached, longest  # noqa: E402
from grader.marking.text import Text  # noqa: E402

TARGET = ROOT / "tests" / "fixtures" / "lab_cases.json"
SEED = 20_261_129
DIGITS = 12
BOUNDS = (0.0, 0.2, 0.5, 2.0)


def main(arguments: list[str]) -> int:
    """Write (`--write`), else check."""
    text = "[\n" + ",\n".join(json.dumps(case, ensure_ascii=False) for case in cases()) + "\n]\n"
    if "--write" in arguments:
        TARGET.write_text(text, encoding="utf-8")
        return 0
    if not TARGET.exists() or json.loads(TARGET.read_text(encoding="utf-8")) != json.loads(text):
        print("lab_cases: the file is not what the core says: run python scripts/lab_cases.py --write")
        return 1
    return 0


def cases() -> list[dict[str, Any]]:
    """Every case: what is given, and all that follows."""
    return [_case(name, given, **rules) for name, given, rules in (*_chosen(), *_drawn())]


def _chosen() -> Iterator[tuple[str, dict[str, Any], dict[str, bool]]]:
    """Where a computation can go wrong: ties, exact symmetry, scores so large that powers overflow, zeros."""
    lesson = [[2, 1], [1, 1], [-1, 1]]
    W_Q, W_K = [[1, 0], [-1, 1]], [[-1, -1], [1, 0]]
    one = [[1, 0], [0, 1]]
    yield "naive", {"X": lesson}, {}
    yield "naive with twins, all as long", {"X": [[3, 4], [3, 4], [5, 0], [-4, 3]]}, {}
    yield "nothing but zeros", {"X": [[0, 0], [0, 0]]}, {}
    yield "the lesson", {"X": lesson, "W_Q": W_Q, "W_K": W_K, "W_V": one}, {}
    yield "one matrix for both", {"X": lesson, "W_Q": W_Q, "W_K": W_Q, "W_V": one}, {}
    yield "no W_V", {"X": lesson, "W_Q": W_Q, "W_K": W_K}, {"scaled": True}
    yield "scaled", {"X": lesson, "W_Q": W_Q, "W_K": W_K, "W_V": one}, {"scaled": True}
    yield "causal", {"X": lesson, "W_Q": W_Q, "W_K": W_K, "W_V": one}, {"causal": True}
    yield "scaled and causal", {"X": lesson, "W_Q": W_Q, "W_K": W_K, "W_V": one}, {"scaled": True, "causal": True}
    for factor in (-5, -0.5, 0, 0.1, 1, 20, 1000):
        patches = {"logits": [[0.1, 0.9, 0.8, 0.2]], "factor": [[factor]], "V": [[0, 1], [1, 0], [1, 0], [0, 1]]}
        yield f"patches times {factor}", patches, {}
    yield "huge scores", {"logits": [[1000, 999, -1000], [1e4, 1e4, 0], [-1000, -1000, -1001]]}, {}
    yield "scores that tie", {"logits": [[2, 2, 2], [0, 1, 1], [-1, -1, 3]], "V": [[1], [2], [4]]}, {}


def _drawn() -> Iterator[tuple[str, dict[str, Any], dict[str, bool]]]:
    """Random numbers of two decimals in the sizes that labs allow."""
    stream = np.random.default_rng(SEED)
    for number in range(12):
        S, d, d_k, d_v = (int(stream.integers(2, most)) for most in (13, 9, 9, 9))
        shapes = {"X": (S, d), "W_Q": (d, d_k), "W_K": (d, d_k), "W_V": (d, d_v)}
        if number % 3 == 0:
            shapes = {"Q": (S, 4 * d_k), "K": (S, 4 * d_k), "V": (S, d_v)}
        given = {name: np.round(stream.normal(size=shape), 2).tolist() for name, shape in shapes.items()}
        yield f"drawn {number}", given, {"scaled": number % 2 == 0, "causal": number % 4 == 0}


def _case(name: str, given: dict[str, Any], *, scaled: bool = False, causal: bool = False) -> dict[str, Any]:
    arrays = one_head(
        {each: np.array(rows, dtype=float) for each, rows in given.items()}, is_scaled=scaled, is_causal=causal
    )
    logits = arrays["logits"]
    is_square = logits.shape[0] == logits.shape[1]
    return {
        "name": name,
        "given": given,
        "scaled": scaled,
        "causal": causal,
        "arrays": {each: _rounded(array) for each, array in arrays.items() if each not in given},
        "asymmetry": float(f"{asymmetry(logits):.{DIGITS}g}") if is_square else None,
        "prefers_itself": prefers_itself(logits).tolist() if is_square else None,
        "longest": longest(arrays["X"]).tolist() if "X" in arrays else None,
        "goals": list(_goals(arrays)),
    }


def _goals(arrays: dict[str, Array]) -> Iterator[dict[str, Any]]:
    """Goals of every kind that arrays can reach, about the first token that looks and the last that is looked at."""
    queries, tokens = arrays["logits"].shape
    if queries != tokens:
        return
    lab = Lab((Text("", ""),) * tokens, tuple(range(tokens)), {}, (), is_scaled=False, is_causal=False)
    for kind in (GoalKind.ABOVE, GoalKind.BELOW, GoalKind.ONE_WAY, GoalKind.LOOKS_AWAY):
        for bound in BOUNDS:
            goal = Goal(kind, 0, tokens - 1, bound)
            told = {"kind": kind.value, "from": goal.query, "to": goal.key, "bound": bound}
            yield {**told, "is_reached": is_reached(lab, goal, arrays)}


def _rounded(array: Array) -> list[list[float]]:
    return [[float(f"{cell:.{DIGITS}g}") + 0.0 for cell in row] for row in array]


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
