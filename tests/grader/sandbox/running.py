"""What the sandbox's tests share: sandboxes by tier, jobs in one line, and processes looked at from outside."""

from __future__ import annotations

import math
import struct
import time
from collections.abc import Callable
from dataclasses import replace
from datetime import timedelta
from functools import cache
from pathlib import Path

import pytest

from grader.sandbox import Case, Frame, Job, Limits, Returned, RunResult, RunStatus, Sandbox, SandboxUnavailable

HONEST = "import numpy as np\ndef project(x, W):\n    return x @ W\n"
FORMATS = {"float64": "d", "float32": "f", "int64": "q", "bool": "?"}


def open_sandbox(tier: int) -> Sandbox:
    """A sandbox of exactly this tier, or a skip that says why there is none."""
    try:
        return Sandbox(minimum_tier=tier, maximum_tier=tier)
    except SandboxUnavailable as refusal:
        pytest.skip(refusal.reason)


@cache
def require(tier: int) -> None:
    """Skip, with the reason, where this tier cannot be had."""
    open_sandbox(tier).close()


def frame(*values: float, shape: tuple[int, ...] | None = None, dtype: str = "float64") -> Frame:
    return Frame(
        dtype, shape if shape is not None else (len(values),), struct.pack(f"<{len(values)}{FORMATS[dtype]}", *values)
    )


def values(given: Frame) -> list[float]:
    return list(struct.unpack(f"<{math.prod(given.shape)}{FORMATS[given.dtype]}", given.data))


def job(code: str, *arguments: Frame | None, function: str = "f", times: int = 1, limits: Limits | None = None) -> Job:
    return Job(code, function, (Case(arguments),) * times, limits or Limits())


def quick(**changes: object) -> Limits:
    """Limits under which an endless program is over soon."""
    return replace(Limits(cpu_time=timedelta(seconds=1), wall_time=timedelta(seconds=0.4)), **changes)  # type: ignore[arg-type]


def honest() -> Job:
    return job(HONEST, frame(1, 2, 3, 4, shape=(2, 2)), frame(2, 0, 0, 2, shape=(2, 2)), function="project")


def is_right(result: RunResult) -> bool:
    """Whether an honest run gave exactly what it should, with nothing left by the run before."""
    expected = (Returned(frame(2, 4, 6, 8, shape=(2, 2)), "ndarray", inputs_changed=False),)
    return (result.status, result.outcomes, result.stdout) == (RunStatus.RETURNED, expected, "")


def returned(result: RunResult) -> list[float]:
    outcome = result.outcomes[0]
    assert isinstance(outcome, Returned), result
    return values(outcome.frame)


def keeper_of(sandbox: Sandbox) -> int:
    """The keeper's process id as we see it; above tier 1 what was started only waits for it."""
    started = sandbox._zygote.pid
    if sandbox.tier == 1:
        return started
    assert becomes_true(lambda: bool(children_of(started)), seconds=30)
    return children_of(started)[0]


def children_of(pid: int) -> list[int]:
    try:
        return [int(child) for child in Path(f"/proc/{pid}/task/{pid}/children").read_text().split()]
    except FileNotFoundError:
        return []


def running_child_of(keeper: int, seconds: float = 20) -> int:
    """The child that runs now, waited for; found in one look, since a child may end between two."""
    found: list[int] = []

    def is_running() -> bool:
        found[:] = filter(is_alive, children_of(keeper))
        return len(found) == 1

    assert becomes_true(is_running, seconds=seconds), found
    return found[0]


def is_alive(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] not in {"Z", "X"}
    except (FileNotFoundError, ProcessLookupError):
        return False


def becomes_true(condition: Callable[[], bool], seconds: float) -> bool:
    deadline = time.monotonic() + seconds
    while time.monotonic() < deadline:
        if condition():
            return True
        time.sleep(0.01)
    return condition()
