"""Run an attack, and judge what came of it."""

from __future__ import annotations

import math
import struct
import sys
from dataclasses import dataclass, replace
from datetime import timedelta
from enum import StrEnum
from pathlib import Path

from grader.sandbox import Frame, Limits, Returned, RunResult, RunStatus, Sandbox
from grader.sandbox.sandbox import run_on
from tests.grader.sandbox.attacks.program import HARMLESS, Attack
from tests.grader.sandbox.running import children_of, frame, honest, is_right, job, keeper_of

# Where a limit of time is not what stops an attack, a busy machine must not look like one.
PATIENT = Limits(cpu_time=timedelta(seconds=1), wall_time=timedelta(seconds=20), memory_bytes=128 * 1024 * 1024)
QUICK = replace(PATIENT, wall_time=timedelta(seconds=0.4))
ROOT = str(Path(__file__).resolve().parents[4])
# What a learner must never read: where we lie on this machine, and our own names.
OUR_OWN = (ROOT, sys.prefix, sys.base_prefix + "/lib", "site-packages", "grader/", "grader.", "inside.py", "_outcome")


class Outcome(StrEnum):
    """What came of an attack: it ended as it may, something worked, or it ended in a way that nobody foresaw."""

    CONTAINED = "contained"
    ESCAPED = "escaped"
    UNEXPECTED = "unexpected"


@dataclass(frozen=True, slots=True)
class Struck:
    """One attack and the honest run after it; `said` tells what is wrong, and is empty where nothing is."""

    attack: Attack
    outcome: Outcome
    ended: RunStatus
    is_next_right: bool
    said: str = ""


def run(sandbox: Sandbox, attack: Attack) -> RunResult:
    """Run an attack once, and keep its keeper: the next run must be right without a fresh one."""
    limits = QUICK if RunStatus.TIME_LIMIT in attack.expects else PATIENT
    if not sandbox._zygote.allows(limits):
        sandbox._replace_zygote(limits)
    return run_on(sandbox._zygote, job(attack.code, frame(1, 2), limits=limits))


def is_next_right(sandbox: Sandbox) -> bool:
    """Whether an honest program gets its right answer from the same keeper."""
    return is_right(sandbox.run(replace(honest(), limits=PATIENT)))


def worked(result: RunResult) -> float:
    """How many of its attempts a program says to have worked; endless, if it said something else."""
    value = result.outcomes[0].value if result.outcomes and isinstance(result.outcomes[0], Returned) else None
    if not isinstance(value, Frame) or math.prod(value.shape) != 1 or value.dtype not in {"float64", "int64"}:
        return math.inf
    return float(struct.unpack("<d" if value.dtype == "float64" else "<q", value.data)[0])


def outcome_of(attack: Attack, result: RunResult) -> Outcome:
    """Judge by how a run ended and by what it said of its attempts."""
    if attack.expects != HARMLESS:
        return Outcome.CONTAINED if result.status in attack.expects else Outcome.UNEXPECTED
    if result.status != RunStatus.RETURNED or math.isinf(worked(result)):
        return Outcome.UNEXPECTED
    return Outcome.ESCAPED if worked(result) else Outcome.CONTAINED


def shown_of_us(result: RunResult) -> str:
    """What a learner would read of this machine or of our code, if anything."""
    faults = [f"{fault.message}\n{fault.traceback}\n{fault.arrays}" for fault in [result.fault] if fault]
    return next((word for word in OUR_OWN for text in (result.stdout, *faults) if word in text), "")


def strike(sandbox: Sandbox, attack: Attack) -> Struck:
    """Run an attack as often as it wants, then an honest program, and look for what is left."""
    results = [run(sandbox, attack) for _ in range(attack.runs)]
    outcomes = [outcome_of(attack, result) for result in results]
    is_right_after = is_next_right(sandbox)
    worst, last = max(outcomes, key=list(Outcome).index), results[-1]
    if seen := next((word for word in map(shown_of_us, results) if word), ""):
        return Struck(attack, Outcome.ESCAPED, last.status, is_right_after, f"the learner reads {seen!r}: {results}")
    if children_of(keeper_of(sandbox)):
        return Struck(attack, Outcome.ESCAPED, last.status, is_right_after, "a process is left over")
    if worst != Outcome.CONTAINED:
        return Struck(
            attack, worst, last.status, is_right_after, f"{worked(last):g} worked, ended as {last.status}: {results}"
        )
    return Struck(attack, worst, last.status, is_right_after, "" if is_right_after else "the next run is not right")


def verdict(sandbox: Sandbox, attack: Attack) -> str:
    """Say what is wrong after an attack, or nothing."""
    struck = strike(sandbox, attack)
    return f"{attack.name} ({attack.does}): {struck.said}" if struck.said else ""
