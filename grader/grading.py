"""Use case: run a learner's code in the sandbox, then mark, outside, what came back.

Expected values are worked out here and stay here: the sandbox gets the code and the arguments, and gives back arrays.
"""

from __future__ import annotations

import platform
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import timedelta
from decimal import Decimal
from typing import Any

import numpy as np

from grader import sandbox
from grader.attention.projection import Array
from grader.bank import parse_item
from grader.marking.code import (
    CodeJudgement,
    Outcome,
    Raised,
    Returned,
    WrongKind,
    full_or_nothing,
    judge_code,
    raised_finding,
)
from grader.marking.code_cases import DrawnCase, draw_cases
from grader.marking.items import CodeItem
from grader.marking.mark import Finding, Mark, RunReport, remark, verdict_for
from grader.marking.phrases import phrase
from grader.sandbox import (
    Case,
    Fault,
    FaultStage,
    Frame,
    Job,
    Limits,
    RunResult,
    RunStatus,
    Sandbox,
    SandboxUnavailable,
)

LIMITS = Limits()
MEBIBYTE = 1024 * 1024

# What is said of a run that did not come to its end; the gravest things come from the sandbox already in order.
ENDINGS = {
    RunStatus.TIME_LIMIT: "time",
    RunStatus.MEMORY_LIMIT: "memory",
    RunStatus.OUTPUT_LIMIT: "output",
    RunStatus.CRASHED: "crashed",
    RunStatus.SECURITY_VIOLATION: "violation",
}
# The runs that got to the end of their cases.
WENT_THROUGH = frozenset({RunStatus.RETURNED, RunStatus.RAISED})


@dataclass(frozen=True, slots=True)
class Graded:
    """The outcome of a code submission: a mark, counted or not, or the name of what failed on our side."""

    mark: Mark | None = None
    counted: bool = True
    failure: str | None = None

    def to_json(self) -> dict[str, Any]:
        """Plain JSON, without the ticket that the queue adds."""
        return {"mark": self.mark.to_json() if self.mark else None, "counted": self.counted, "failure": self.failure}


def grade_code(definition: Mapping[str, Any], seed: int, code: str, jail: Sandbox) -> Graded:
    """Grade one submission. Our own trouble ends as a failure, never as the learner's mistake."""
    item = parse_item(definition)
    if not isinstance(item, CodeItem):
        raise TypeError(f"{item.slug} is a {item.kind} item, not code")
    cases = draw_cases(item, seed)
    try:
        result = _run(item, cases, code, jail)
    except SandboxUnavailable:
        return Graded(failure="sandbox_unavailable")
    if result.status is RunStatus.INTERNAL_ERROR:
        return Graded(failure="sandbox_internal_error")
    return _mark(item, cases, result)


def _run(item: CodeItem, cases: tuple[DrawnCase, ...], code: str, jail: Sandbox) -> RunResult:
    """Run the visible cases, then the hidden ones in a jail of their own.

    What a program prints is shown to its author. Nothing of a hidden case can get into it, whatever the program does,
    because no hidden case is in the jail whose output is kept. (The sandbox itself tries again after trouble of ours,
    and before it believes a time limit.)
    """
    shown = jail.run(_job(item, tuple(case for case in cases if case.visible), code))
    if shown.status not in WENT_THROUGH or _fault_before_calls(shown) is not None:
        return shown
    hidden = jail.run(_job(item, tuple(case for case in cases if not case.visible), code))
    return RunResult(
        status=max(shown.status, hidden.status, key=list(RunStatus).index),
        outcomes=shown.outcomes + hidden.outcomes,
        stdout=shown.stdout,
        cpu_time=shown.cpu_time + hidden.cpu_time,
        wall_time=shown.wall_time + hidden.wall_time,
        memory_bytes=max(shown.memory_bytes, hidden.memory_bytes),
        limit=hidden.limit,
    )


def _job(item: CodeItem, cases: tuple[DrawnCase, ...], code: str) -> Job:
    calls = tuple(Case(tuple(map(_frame, case.arguments(item.parameters)))) for case in cases)
    return Job(code=code, function=item.function, cases=calls, limits=LIMITS)


def _mark(item: CodeItem, cases: tuple[DrawnCase, ...], result: RunResult) -> Graded:
    fault = _fault_before_calls(result)
    if fault is not None and result.status not in ENDINGS:
        return _not_called(item, result, fault)
    judgement = judge_code(item, cases, list(_outcomes(result, len(cases))))
    if result.status in ENDINGS:
        finding = _ending(result)
        return Graded(_build(item, result, Decimal(0), (finding,), judgement))
    return Graded(_build(item, result, full_or_nothing(item, judgement), judgement.findings, judgement))


def _fault_before_calls(result: RunResult) -> Fault | None:
    """What kept the function from being called at all; an exception of a call belongs to its case."""
    fault = result.fault
    return None if fault is None or fault.stage is FaultStage.CALL else fault


def _not_called(item: CodeItem, result: RunResult, fault: Fault) -> Graded:
    """Code that never got to the first call. What Python could not read, or did not find, is no try."""
    if fault.stage is FaultStage.SYNTAX:
        details = {"line": str(fault.line or "?"), "message": fault.message, "python": platform.python_version()}
        finding = remark("code_syntax", phrase("code.syntax_title"), phrase("code.syntax", **details))
    elif fault.stage in {FaultStage.MISSING_FUNCTION, FaultStage.NOT_CALLABLE}:
        name = {"function": item.function}
        finding = remark("code_missing", phrase("code.missing_title", **name), phrase("code.missing", **name))
    else:
        finding = raised_finding(Raised(fault.kind, fault.message, fault.line), is_shown=True)
    is_understood = fault.stage is FaultStage.LOAD
    return Graded(_build(item, result, Decimal(0), (finding,), None), counted=is_understood)


def _ending(result: RunResult) -> Finding:
    name = ENDINGS[result.status]
    return remark(f"code_{name}", phrase(f"code.{name}_title"), phrase(f"code.{name}", limit=_limit(result.status)))


def _limit(status: RunStatus) -> str:
    """The limit that was hit, in the unit a learner thinks in."""
    if status is RunStatus.TIME_LIMIT:
        return f"{LIMITS.cpu_time / timedelta(seconds=1):g} s"
    if status is RunStatus.MEMORY_LIMIT:
        return f"{LIMITS.memory_bytes // MEBIBYTE} MiB"
    return f"{LIMITS.output_bytes // 1024} KiB"


def _build(
    item: CodeItem, result: RunResult, score: Decimal, findings: tuple[Finding, ...], judgement: CodeJudgement | None
) -> Mark:
    fault = _fault_before_calls(result) or _first_shown_fault(result, judgement)
    run = RunReport(
        status=result.status,
        stdout=result.stdout,
        traceback=fault.traceback if fault else "",
        cpu_ms=round(result.cpu_time / timedelta(milliseconds=1)),
        memory_mib=-(-result.memory_bytes // MEBIBYTE),
        cases=judgement.cases if judgement else (),
    )
    return Mark(verdict_for(score, item.max_score), score, item.max_score, findings=findings, run=run)


def _first_shown_fault(result: RunResult, judgement: CodeJudgement | None) -> Fault | None:
    """The first exception on a visible case; those of hidden cases are not shown."""
    for case, outcome in zip(judgement.cases if judgement else (), result.outcomes, strict=False):
        if case.visible and isinstance(outcome, sandbox.Raised):
            return outcome.fault
    return None


def _outcomes(result: RunResult, count: int) -> Iterator[Outcome]:
    for outcome in result.outcomes:
        if isinstance(outcome, sandbox.Returned):
            yield Returned(_array(outcome.frame), outcome.inputs_changed)
        elif isinstance(outcome, sandbox.Raised):
            yield Raised(outcome.fault.kind, outcome.fault.message, outcome.fault.line)
        else:
            yield WrongKind(outcome.kind)
    for _ in range(count - len(result.outcomes)):
        yield None


def _frame(value: Array | None) -> Frame | None:
    return None if value is None else Frame(str(value.dtype), value.shape, value.tobytes())


def _array(frame: Frame) -> Array:
    return np.frombuffer(frame.data, dtype=frame.dtype).reshape(frame.shape).copy()
