"""Outcomes as a sandbox worker sends them."""

from __future__ import annotations

from decimal import Decimal
from typing import Any

from exercises.models import Run, Submission
from grader.marking.mark import Finding, Mark, verdict_for
from grader.marking.properties import CaseGroup, Property
from grader.marking.run_report import CaseReport, CaseState, RunReport
from grader.marking.text import Text


def marked(submission: Submission, *, score: int = 3, stdout: str = "", misconceptions: tuple[str, ...] = ()) -> dict:
    """The outcome of a run that could be marked, out of 3."""
    findings = tuple(Finding(slug, Text("误", "Oops"), Text("", ""), is_misconception=True) for slug in misconceptions)
    case = CaseReport(number=1, group=CaseGroup.VISIBLE, property=Property.VALUES, state=CaseState.RIGHT)
    run = RunReport(status="returned", stdout=stdout, traceback="", cpu_ms=3, memory_mib=40, cases=(case,))
    mark = Mark(verdict_for(Decimal(score), Decimal(3)), Decimal(score), Decimal(3), findings=findings, run=run)
    return {"ticket": submission.ticket, "mark": mark.to_json(), "counted": True, "failure": None}


def broken(submission: Submission, failure: str = "sandbox_internal_error") -> dict[str, Any]:
    """The outcome of a run that failed by our fault."""
    return {"ticket": submission.ticket, "mark": None, "counted": True, "failure": failure}


def reported(run: Run, *, stdout: str = "") -> dict[str, Any]:
    """The outcome of a run that is no try and went well."""
    case = CaseReport(number=1, group=CaseGroup.VISIBLE, property=Property.VALUES, state=CaseState.RIGHT)
    report = RunReport(status="returned", stdout=stdout, traceback="", cpu_ms=3, memory_mib=40, cases=(case,))
    return {"ticket": run.ticket, "report": report.to_json(), "failure": None}


def broken_run(run: Run, failure: str = "sandbox_internal_error") -> dict[str, Any]:
    """The outcome of such a run that failed by our fault."""
    return {"ticket": run.ticket, "report": None, "failure": failure}
