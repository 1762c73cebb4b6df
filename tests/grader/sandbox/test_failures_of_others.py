"""What made other graders fail in public, tried here."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager

import pytest

from grader.sandbox import RunStatus, Sandbox
from tests.grader.sandbox.running import HONEST, frame, honest, is_right, job, keeper_of, open_sandbox, returned

pytestmark = pytest.mark.jail

# What learners wrote, or could have, to have every comparison agree.
HARNESS_REPLACED = """
import builtins, sys, types
import numpy as np
np.allclose = np.array_equal = np.isclose = lambda *a, **k: True
np.testing.assert_allclose = lambda *a, **k: None
WORDS = ("check", "grade", "compare", "run", "answer", "encode", "outcome", "load")
for module in list(sys.modules.values()):
    for name, thing in list(vars(module).items()):
        if isinstance(thing, types.FunctionType) and any(word in name.lower() for word in WORDS):
            setattr(module, name, lambda *a, **k: True)
builtins.all = builtins.abs = lambda *a: True
def f(x): return 0 * x
"""


@contextmanager
def busy_neighbour() -> Iterator[None]:
    """A program that takes all it can of a processor."""
    with subprocess.Popen((sys.executable, "-I", "-S", "-c", "while True: pass")) as burner:
        try:
            yield
        finally:
            burner.kill()


@pytest.mark.parametrize("is_busy", [False, True], ids=["alone", "beside a busy program"])
def test_sixteen_at_once_right_after_a_cold_start_are_all_right(
    monkeypatch: pytest.MonkeyPatch, *, is_busy: bool
) -> None:
    """Start-up is nobody's time, and the numeric library starts no threads that a limit would refuse."""
    for name in ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS"):
        monkeypatch.delenv(name, raising=False)
    with (
        busy_neighbour() if is_busy else monkeypatch.context(),
        open_sandbox(3) as opened,
        ThreadPoolExecutor(16) as pool,
    ):
        results = list(pool.map(opened.run, [honest()] * 16))

    assert [is_right(result) for result in results] == [True] * 16
    assert max(result.cpu_time.total_seconds() for result in results) < 1


DEAF = """
import os, signal, sys
sys.path.insert(0, os.getcwd())
signal.signal(signal.SIGCHLD, signal.SIG_IGN)
signal.pthread_sigmask(signal.SIG_BLOCK, signal.valid_signals())
from tests.grader.sandbox.running import frame, honest, is_right, job, open_sandbox, quick
with open_sandbox(3) as opened:
    spins = job("def f(x):\\n    while True: pass", frame(1), limits=quick())
    print(is_right(opened.run(honest())), opened.run(spins).status, is_right(opened.run(honest())))
"""


def test_a_worker_that_blocks_and_ignores_every_signal_runs_and_ends_children_like_any_other() -> None:
    finished = subprocess.run((sys.executable, "-c", DEAF), capture_output=True, text=True, check=True, timeout=120)

    assert finished.stdout.split() == ["True", RunStatus.TIME_LIMIT, "True"]


def test_a_harness_replaced_from_inside_answers_for_itself_alone(sandbox: Sandbox) -> None:
    result = sandbox.run(job(HARNESS_REPLACED, frame(1, 2)))

    assert result.status in {RunStatus.RETURNED, RunStatus.RAISED, RunStatus.CRASHED}
    assert result.status != RunStatus.RETURNED or returned(result) == [0, 0]
    assert is_right(sandbox.run(honest()))


RECURSIONS = {
    "def f(x): return f(x)": {RunStatus.RAISED},
    "import sys\nsys.setrecursionlimit(10**6)\ndef g(n): return max([n], key=g)\ndef f(x): return g(0)": {RunStatus.CRASHED},
    "import sys\nsys.setrecursionlimit(10**9)\ndef g(n): return g(n + 1)\ndef f(x): return g(0)": {
        RunStatus.RAISED, RunStatus.CRASHED, RunStatus.MEMORY_LIMIT, RunStatus.TIME_LIMIT,
    },
}  # fmt: skip


@pytest.mark.parametrize(("code", "ends"), RECURSIONS.items(), ids=["endless", "past the stack", "without a bound"])
def test_recursion_is_the_learners_and_told_in_few_lines(sandbox: Sandbox, code: str, ends: set[RunStatus]) -> None:
    result = sandbox.run(job(code, frame(1)))

    assert result.status in ends
    assert result.fault is None or len(result.fault.traceback.splitlines()) < 40
    assert is_right(sandbox.run(honest()))


@pytest.mark.parametrize("text", ["a = 1\n" * 10_000, "# a comment\n" * 5_000], ids=["many lines", "much comment"])
def test_a_long_text_that_python_can_read_runs(sandbox: Sandbox, text: str) -> None:
    assert sandbox.run(job(text[:60_000].rpartition("\n")[0] + "\ndef f(x): return x", frame(1))).status == "returned"


def test_numpys_own_checks_are_there_for_a_learner(sandbox: Sandbox) -> None:
    code = HONEST.replace("    return", "    import numpy.testing as t\n    t.assert_allclose(W, W)\n    return")

    assert is_right(sandbox.run(job(code, *honest().cases[0].arguments, function="project")))  # type: ignore[arg-type]


def test_a_keeper_is_replaced_when_it_is_old(sandbox: Sandbox, monkeypatch: pytest.MonkeyPatch) -> None:
    assert is_right(sandbox.run(honest()))
    before = keeper_of(sandbox)
    assert is_right(sandbox.run(honest()))
    assert keeper_of(sandbox) == before
    monkeypatch.setattr("grader.sandbox.sandbox.MAX_AGE_SECONDS", 0.0)

    assert is_right(sandbox.run(honest()))
    assert keeper_of(sandbox) != before
