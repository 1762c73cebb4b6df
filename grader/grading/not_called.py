"""Code of which nothing was called: what Python could not read or did not find, or what failed while it was loaded."""

from __future__ import annotations

from dataclasses import dataclass

from grader.grading.crossing import raised_by
from grader.marking.code_faults import known_fault, raised_finding
from grader.marking.code_unread import missing, not_callable, unread
from grader.marking.finding import Finding
from grader.marking.items import CodeItem
from grader.sandbox import Fault, FaultStage, RunResult


@dataclass(frozen=True, slots=True)
class NotCalled:
    """Why, and whether the code was understood well enough to be a try."""

    finding: Finding
    counted: bool
    traceback: str


def not_called(item: CodeItem, code: str, result: RunResult) -> NotCalled | None:
    """What kept the function from being called at all; None where it was called."""
    fault = result.fault
    if fault is None or fault.stage is FaultStage.CALL:
        return None
    return NotCalled(_finding(item, code, fault), _is_counted(fault), fault.traceback)


def _finding(item: CodeItem, code: str, fault: Fault) -> Finding:
    if fault.stage is FaultStage.SYNTAX:
        return unread(code, fault.kind, fault.message, fault.line)
    if fault.stage is FaultStage.LOAD:
        return raised_finding(raised_by(fault), signature=item.signature, is_shown=True, is_loading=True)
    # The name that was looked for is the fault's kind: the item's function, or the one that shows its bug.
    signature = item.signature if fault.kind == item.function else f"{fault.kind}()"
    if fault.stage is FaultStage.NOT_CALLABLE:
        return not_callable(fault.kind, signature)
    return missing(fault.kind, tuple(fault.message.splitlines()), signature, code)


def _is_counted(fault: Fault) -> bool:
    """An exception while loading is a try like any other, unless we know that no try was meant."""
    known = known_fault(raised_by(fault))
    return fault.stage is FaultStage.LOAD and (known is None or known.is_counted)
