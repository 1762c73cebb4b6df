"""Run a learner's code without marking it: on a call of the learner's own, or on the cases that the page shows."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from grader.grading.crossing import call_of, outcomes_of, raised_by, shown_output
from grader.grading.endings import LIMITS, ending, measured
from grader.grading.grade import plan_of
from grader.grading.not_called import not_called
from grader.marking.code_cases import CasePlan
from grader.marking.code_faults import raised_finding
from grader.marking.code_outcomes import Raised, try_out
from grader.marking.code_report import report
from grader.marking.code_unread import unread
from grader.marking.finding import Finding, remark
from grader.marking.items import CodeItem
from grader.marking.phrases import phrase
from grader.marking.run_report import RunReport
from grader.marking.text import code_span
from grader.sandbox import Case, FaultStage, Job, RunResult, RunStatus, Sandbox, SandboxUnavailable

# The call is made in a function of its own, so that what it prints can be told from what it comes to.
MAKE, SHOW = "qkv_make_call", "qkv_show_call"
OWN_CALL = f"""

def {MAKE}():
    global qkv_called
    qkv_called = (
{{call}}
    )

def {SHOW}():
    print(repr(qkv_called), end="")
"""


@dataclass(frozen=True, slots=True)
class Ran:
    """The report of a run that is no try, or the name of what failed on our side."""

    report: RunReport | None = None
    failure: str | None = None

    def to_json(self) -> dict[str, Any]:
        """Plain JSON, without the ticket that the queue adds."""
        return {"report": self.report.to_json() if self.report else None, "failure": self.failure}


def run_code(definition: Mapping[str, Any], code: str, call: str, jail: Sandbox) -> Ran:
    """Run the code on `call`, an expression; on the visible cases where that is empty. Nothing is scored."""
    plan = plan_of(definition)
    try:
        result = jail.run(_own_job(code, call) if call.strip() else _visible_job(plan, code))
    except SandboxUnavailable:
        return Ran(failure="sandbox_unavailable")
    if result.status is RunStatus.INTERNAL_ERROR:
        return Ran(failure="sandbox_internal_error")
    return Ran(_report_own(plan.item, code, call, result) if call.strip() else _report_visible(plan, code, result))


def _own_job(code: str, call: str) -> Job:
    with_call = code.rstrip() + OWN_CALL.format(call=call.strip())
    return Job(code=with_call, function=MAKE, cases=(Case((), MAKE), Case((), SHOW)), limits=LIMITS)


def _visible_job(plan: CasePlan, code: str) -> Job:
    calls = tuple(call_of(plan.item, case) for case in plan.visible)
    return Job(code=code, function=plan.item.function, cases=calls, limits=LIMITS)


def _report_own(item: CodeItem, code: str, call: str, result: RunResult) -> RunReport:
    printed = [*result.printed, "", "", ""]
    fault = result.fault
    return replace(
        measured(result, stdout=printed[0] + printed[1], traceback=fault.traceback if fault else ""),
        result=printed[2],
        findings=tuple(_own_findings(item, code, call, result)),
    )


def _own_findings(item: CodeItem, code: str, call: str, result: RunResult) -> list[Finding]:
    ended, fault = ending(result), result.fault
    if ended is not None:
        return [ended]
    if fault is None:
        return []
    is_of_call = (fault.line or 0) > len(code.rstrip().splitlines())
    if fault.stage is FaultStage.SYNTAX:
        return (
            [_call_unread(call, fault.message)] if is_of_call else [unread(code, fault.kind, fault.message, fault.line)]
        )
    return [raised_finding(raised_by(fault), signature=item.signature, is_shown=True)]


def _call_unread(call: str, message: str) -> Finding:
    return remark(
        "code_call", phrase("code.call_title"), phrase("code.call", call=code_span(call), message=code_span(message))
    )


def _report_visible(plan: CasePlan, code: str, result: RunResult) -> RunReport:
    item = plan.item
    kept_from, ended = not_called(item, code, result), ending(result)
    if kept_from is not None:
        shown = measured(result, stdout=shown_output(result, ()), traceback=kept_from.traceback)
        return replace(shown, findings=(ended or kept_from.finding,))
    outcomes = outcomes_of(result, len(plan.visible))
    tried = [try_out(item, case, outcome) for case, outcome in zip(plan.visible, outcomes, strict=True)]
    faults = [outcome for outcome in outcomes if isinstance(outcome, Raised)]
    found = ended or (raised_finding(faults[0], signature=item.signature, is_shown=True) if faults else None)
    stdout = shown_output(result, range(len(plan.visible)))
    return replace(
        measured(result, stdout=stdout, traceback=faults[0].traceback if faults else ""),
        cases=tuple(report(item, one, place) for place, one in enumerate(tried, start=1)),
        findings=(found,) if found else (),
    )
