"""What services like this one have suffered from, each as its whole kind: from the code of a submission to its mark.

The items are the course's own, the sandbox is the real one; what a learner reads is looked at in both languages.
"""

from __future__ import annotations

import math
import subprocess
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from decimal import Decimal
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from grader.bank import read_content
from grader.grading import Graded, grade_code
from grader.grading.grade import plan_of
from grader.marking.mark import Finding, Mark
from grader.marking.text import LANGUAGES
from grader.marking.verdict import Verdict
from grader.sandbox import Sandbox

pytestmark = pytest.mark.jail
CONTENT = Path(__file__).resolve().parents[3] / "content"
SEEDS = (1, 2, 3)


@cache
def definitions() -> dict[str, Any]:
    return {
        item.slug: item.definition for read in read_content(CONTENT) for lesson in read.lessons for item in lesson.items
    }


def graded(item: str, code: str, jail: Sandbox, seed: int = 1) -> Graded:
    return grade_code(definitions()[item], seed, code, jail)


def mark(item: str, code: str, jail: Sandbox, seed: int = 1) -> Mark:
    found = graded(item, code, jail, seed).mark
    assert found is not None
    return found


def first(item: str, code: str, jail: Sandbox, seed: int = 1) -> Finding:
    finding = mark(item, code, jail, seed).findings[0]
    assert all(finding.text.in_language(language).strip() for language in LANGUAGES)
    return finding


ATTEND = """
import numpy as np


def attention(Q, K, V, mask=None):
    s = Q @ K.T{scale}
    allowed = np.ones(s.shape, dtype=bool) if mask is None else mask
    shares = {shares}
    rows = allowed.any(axis=-1, keepdims=True)
    shares = np.where(rows, shares, 0)
    return np.where(rows, shares @ V, {empty})
"""
SOFTMAX = (
    "(lambda e: e / e.sum(-1, keepdims=True))(np.exp(np.where(allowed, s, -1e30) - np.where(allowed, s, -1e30)"
    ".max(-1, keepdims=True)))"
)
SCALE = " / np.sqrt(K.shape[-1])"


def attend(*, scale: str = SCALE, shares: str = SOFTMAX, empty: str = "0") -> str:
    return ATTEND.format(scale=scale, shares=shares, empty=empty)


# A query that may look at nothing: the page says zeros.
NOTHING_TO_SEE = {
    "zeros": ("0", "", Verdict.CORRECT),
    "NaN": ("np.nan", "code_not_finite", Verdict.PARTIALLY_CORRECT),
    "the mean of V": ("V.mean(axis=0)", "mask_empty_row", Verdict.PARTIALLY_CORRECT),
    "the first of V": ("V[0]", "code_wrong", Verdict.PARTIALLY_CORRECT),
}


@pytest.mark.parametrize("name", NOTHING_TO_SEE)
def test_what_a_query_gets_that_may_look_at_nothing_is_one_rule_that_the_page_states(name: str, jail: Sandbox):
    empty, slug, verdict = NOTHING_TO_SEE[name]
    given = mark("cd-attend", attend(empty=empty), jail)

    assert (given.verdict, [finding.slug for finding in given.findings[:1]]) == (verdict, [slug] if slug else [])
    assert "zero" in definitions()["cd-attend"]["prompt"]["en"]
    assert "0" in definitions()["cd-attend"]["prompt"]["zh-hans"]


SCALES = {
    "the width of the values": (" / np.sqrt(V.shape[-1])", "scale_by_other_width"),
    "the number of keys": (" / np.sqrt(len(K))", "scale_by_length"),
    "the width and not its root": (" / Q.shape[-1]", "scale_by_width"),
    "a number of some model": (" / np.sqrt(768)", "code_wrong"),
    "the root, multiplied": (" * np.sqrt(K.shape[-1])", "scale_multiplied"),
    "none": ("", "scale_missing"),
}


@pytest.mark.parametrize("name", SCALES)
@pytest.mark.parametrize("seed", SEEDS)
def test_no_scale_but_the_right_one_earns_anything(name: str, seed: int, jail: Sandbox):
    scale, slug = SCALES[name]
    given = mark("cd-attend", attend(scale=scale), jail, seed)

    assert (given.findings[0].slug, given.score) == (slug, 0)


# Neither tolerance nor a kind choice of numbers lets these through.
NO_SOFTMAX = {
    "the largest alone": ("np.eye(len(K))[np.where(allowed, s, -1e30).argmax(-1)]", "softmax_argmax"),
    "a mean": ("allowed / np.maximum(allowed.sum(-1, keepdims=True), 1)", "mix_ignores_weights"),
    "over the queries": (
        "(lambda e: e / np.maximum(e.sum(0), 1e-300))(np.where(allowed, np.exp(s - s.max()), 0))",
        "softmax_down_columns",
    ),
}


@pytest.mark.parametrize("name", NO_SOFTMAX)
@pytest.mark.parametrize("seed", SEEDS)
def test_what_is_no_softmax_over_the_keys_earns_nothing(name: str, seed: int, jail: Sandbox):
    shares, slug = NO_SOFTMAX[name]
    given = mark("cd-attend", attend(shares=shares), jail, seed)

    assert (given.findings[0].slug, given.score) == (slug, 0)


def test_softmax_over_the_queries_is_told_that_each_querys_weights_add_up_to_one(jail: Sandbox):
    words = first("cd-attend", attend(shares=NO_SOFTMAX["over the queries"][0]), jail).text

    assert "add up to 1" in words.en or "adds up to 1" in words.en
    assert "1" in words.zh_hans


COLUMN = "import numpy as np\n\n\ndef project_columns(W, X, b=None):\n    b = 0 if b is None else b\n"
OTHER_LAYOUTS = {
    "a flat bias laid along the tokens": ("cd-column", COLUMN + "    return W @ X + b\n", "bias_wrong_axis"),
    "the row formula for columns": ("cd-column", COLUMN + "    return X.T @ W + b\n", "code_broadcast"),
    "W x for rows": (
        "cd-project",
        "def project(x, W, b=None):\n    q = W @ x\n    return q if b is None else q + b\n",
        "w_transposed",
    ),
    "x Wᵀ for rows": (
        "cd-project",
        "def project(x, W, b=None):\n    q = x @ W.T\n    return q if b is None else q + b\n",
        "w_transposed",
    ),
}


@pytest.mark.parametrize("name", OTHER_LAYOUTS)
@pytest.mark.parametrize("seed", SEEDS)
def test_the_other_convention_never_passes_and_is_called_by_its_name(name: str, seed: int, jail: Sandbox):
    item, code, slug = OTHER_LAYOUTS[name]
    given = mark(item, code, jail, seed)

    assert (given.findings[0].slug, given.verdict) == (slug, Verdict.INCORRECT)


RIGHT = "def project(x, W, b=None):\n    return x @ W if b is None else x @ W + b\n"
CHECKS = {
    "a guard": ('if __name__ == "__main__":\n    raise RuntimeError("demo")\n', Verdict.CORRECT, ""),
    "a loop that prints": ("for i in range(3):\n    print(i)\n", Verdict.CORRECT, ""),
    "names of the parameters": ("import numpy as np\nW = np.zeros((2, 2)); x = None\n", Verdict.CORRECT, ""),
    "a check that fails": (
        "import numpy as np\nassert project(np.eye(2), np.eye(2)).sum() == 99\n",
        Verdict.INCORRECT,
        "Line 4 is a check of your own",
    ),
}


@pytest.mark.parametrize("name", CHECKS)
def test_checks_left_below_a_function_are_run_as_an_import_would_and_told_by_their_line(name: str, jail: Sandbox):
    below, verdict, words = CHECKS[name]
    given = mark("cd-project", RIGHT + below, jail)

    assert given.verdict is verdict
    assert [words in finding.text.en for finding in given.findings] == ([True] if words else [])


HOSTILE = """
import os
import numpy as np


class Same(np.ndarray):
    def __eq__(self, other): return True
    def __rsub__(self, other): return np.zeros(np.shape(other))
    def __array_function__(self, f, t, a, k): return True
    def __reduce__(self): return (os.system, ("touch {path}",))


def project(x, W, b=None):
    return np.zeros((*x.shape[:-1], W.shape[1])).view(Same)
"""
PATCHED = """
import builtins, sys
import numpy as np
import numpy.testing

np.allclose = np.array_equal = np.isclose = lambda *a, **k: True
np.testing.assert_allclose = lambda *a, **k: None
for module in list(sys.modules.values()):
    for name in dir(module):
        if name.startswith(("check", "grade", "compare", "run", "judge", "mark")):
            try:
                setattr(module, name, lambda *a, **k: True)
            except Exception:
                pass
builtins.all = builtins.abs = lambda *a: True


def project(x, W, b=None):
    return 0 * (x @ W)
"""


def test_an_object_that_equals_everything_equals_nothing_and_runs_nothing_outside(jail: Sandbox, tmp_path: Path):
    path = tmp_path / "owned"
    given = mark("cd-project", HOSTILE.replace("{path}", str(path)), jail)

    assert (given.score, path.exists()) == (0, False)
    assert mark("cd-project", RIGHT, jail).verdict is Verdict.CORRECT


def test_a_harness_patched_from_within_marks_nothing_right_and_the_next_run_is_judged_as_ever(jail: Sandbox):
    assert mark("cd-project", PATCHED, jail).score == 0
    assert mark("cd-project", RIGHT, jail).verdict is Verdict.CORRECT
    assert mark("cd-project", RIGHT.replace("    return", "    import numpy.testing as t\n    t.assert_allclose(W, W)\n    return"), jail).verdict is Verdict.CORRECT  # fmt: skip


LOOKS_ROUND = """
import gc, glob, os, socket, sys
import numpy as np

seen = []
frame = sys._getframe()
while frame:
    seen += [repr(frame.f_locals)[:20_000], repr(sorted(frame.f_globals))]
    frame = frame.f_back
seen += [repr(o.tolist()) for o in gc.get_objects() if isinstance(o, np.ndarray)]
seen.append(repr(dict(os.environ)))
for path in ("/proc/self/environ", "/proc/1/cmdline", "/proc/1/environ", "/etc/passwd"):
    try:
        seen.append(open(path).read())
    except OSError as error:
        seen.append(repr(error))
for root in ("/", "/work", "/home", "/root", "/app", "/srv"):
    seen += [name for name in glob.glob(root + "/*") if any(w in name for w in ("reference", "settings", "sqlite3"))]
try:
    socket.create_connection(("127.0.0.1", 6379), 1)
    seen.append("CONNECTED")
except BaseException as error:
    seen.append(type(error).__name__)


def project(x, W, b=None):
    raise LookupError(" ".join(seen + [repr(gc.get_objects())[:50_000]]))
"""


def numbers_of(value: Any) -> Iterator[str]:
    for cell in value.reshape(-1).tolist():
        if not math.isclose(cell, round(cell, 2)):
            yield f"{cell:.6f}"[:7]


def test_what_a_program_can_see_holds_no_expected_value_no_secret_and_no_connection(jail: Sandbox):
    found = graded("cd-project", LOOKS_ROUND, jail)
    told = str(found.to_json())
    hidden = plan_of(definitions()["cd-project"]).draw(1).hidden

    assert found.mark is not None
    assert found.mark.score == 0
    for secret in ("CONNECTED", "SECRET_KEY", "DATABASE", "REDIS_URL", "DrawnCase", "db.sqlite3", "reference/"):
        assert secret not in told
    assert not [number for case in hidden for number in numbers_of(case.expected[0]) if number in told]
    assert len(told) < 40_000


DEEP = {
    "itself": ("def project(x, W, b=None):\n    return project(x, W, b)\n", {"code_recursion"}),
    "through the library, without a limit": (
        "import sys\nsys.setrecursionlimit(10**6)\n\n\ndef f(n):\n    return max([n], key=f)\n\n\n"
        "project = lambda x, W, b=None: f(0)\n",
        {"code_crashed", "code_recursion", "code_memory", "code_cpu_time", "code_wall_time"},
    ),
    "by a function of its own, without a limit": (
        "import sys\nsys.setrecursionlimit(10**9)\n\n\ndef f(n):\n    return f(n + 1)\n\n\n"
        "project = lambda x, W, b=None: f(0)\n",
        {"code_crashed", "code_recursion", "code_memory", "code_cpu_time", "code_wall_time"},
    ),
    "while it is read": ("y = " + "+0" * 30_000 + "\n" + RIGHT, {"code_syntax", ""}),
}


@pytest.mark.parametrize("name", DEEP)
def test_depth_without_end_is_the_programs_own_end_and_the_next_run_is_right(name: str, jail: Sandbox):
    code, slugs = DEEP[name]
    found = graded("cd-project", code, jail)

    assert found.failure is None
    assert found.mark is not None
    assert {finding.slug for finding in found.mark.findings} or {""} <= slugs
    assert found.mark.run is None or found.mark.run.traceback.count("\n") < 40
    assert mark("cd-project", RIGHT, jail).verdict is Verdict.CORRECT


BURN = "import time\nend = time.monotonic() + 60\nwhile time.monotonic() < end: pass\n"


def test_the_verdict_does_not_depend_on_a_cold_start_or_on_the_machines_load():
    """Sixteen at once in a sandbox that has just been opened, with another program that takes all it can get."""
    burner = subprocess.Popen([sys.executable, "-c", BURN])
    try:
        with Sandbox() as cold, ThreadPoolExecutor(16) as pool:
            found = list(pool.map(lambda seed: graded("cd-project", RIGHT, cold, seed), range(16)))
    finally:
        burner.kill()
        burner.wait(timeout=10)

    assert [(one.failure, one.mark.score if one.mark else None) for one in found] == [(None, Decimal(5))] * 16
