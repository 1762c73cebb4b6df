"""Marking what a learner's function returned: by its behaviour on every call, never by its text."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal

from grader.marking.code_cases import DrawnCases
from grader.marking.code_credit import credit
from grader.marking.code_example import judge_example
from grader.marking.code_findings import Found, find
from grader.marking.code_outcomes import Outcome, Raised, Steadiness, Tried, is_same_outcome, try_out
from grader.marking.code_report import report
from grader.marking.items import CodeItem
from grader.marking.mark import Finding
from grader.marking.properties import CaseGroup, Property
from grader.marking.run_report import CaseReport, PropertyReport


@dataclass(frozen=True, slots=True)
class Outcomes:
    """What came back: from each call in order, and from the learner's own example.

    `again` are the calls on the page, made once more after all others; `afresh` are all calls, made again by a new start.
    """

    calls: Sequence[Outcome]
    again: Sequence[Outcome] = ()
    example: Outcome = None
    afresh: Sequence[Outcome] = ()

    @property
    def steadiness(self) -> Steadiness:
        """Whether the arguments alone decide what comes back."""
        if all(map(is_same_outcome, self.calls, self.again)):
            return Steadiness.STEADY
        remembers = bool(self.afresh) and all(map(is_same_outcome, self.calls, self.afresh))
        return Steadiness.REMEMBERS if remembers else Steadiness.CHANGES


@dataclass(frozen=True, slots=True)
class CodeJudgement:
    """What was found, a report of each counted call, what each property earned, and the smallest call that fails.

    `traceback` belongs to that call; where it raised nothing, to the first one that did and may be shown. If earlier calls
    or chance decide what comes back, other calls' exceptions are their consequence.
    """

    findings: tuple[Finding, ...]
    cases: tuple[CaseReport, ...]
    properties: tuple[PropertyReport, ...]
    smallest: CaseReport | None
    traceback: str = ""

    @property
    def score(self) -> Decimal:
        """The sum of what the properties earned."""
        return sum((each.earned for each in self.properties), Decimal(0))


def judge_code(item: CodeItem, drawn: DrawnCases, outcomes: Outcomes) -> CodeJudgement:
    """Compare what came back with the derivation, and name the mistake if there is one."""
    tried = [try_out(item, case, outcome) for case, outcome in zip(drawn.in_order, outcomes.calls, strict=True)]
    counted = [one for one in tried if one.case.group is not CaseGroup.WITNESS]
    steadiness = outcomes.steadiness
    example = judge_example(item, outcomes.example)
    properties = credit(item, counted, example_is_right=example is None)
    if steadiness is not Steadiness.STEADY:
        properties = tuple(_none(each) if each.property is not Property.EXAMPLE else each for each in properties)
    found = find(item, tried, steadiness)
    if all(each.earned == each.of for each in properties):
        found = Found((), None)  # a tiny call alone decides nothing
    return CodeJudgement(
        findings=(*found.findings, *([example] if example else [])),
        cases=tuple(report(item, one, place) for place, one in enumerate(counted, start=1)),
        properties=properties,
        smallest=report(item, found.evidence, 0) if found.evidence else None,
        traceback=_traceback(found.evidence, tried if steadiness is Steadiness.STEADY else (), outcomes.example),
    )


def _traceback(evidence: Tried | None, tried: Sequence[Tried], example: Outcome) -> str:
    shown = [one.outcome for one in tried if one.case.group is not CaseGroup.HIDDEN]
    outcomes = (evidence.outcome if evidence else None, *shown, example)
    return next((outcome.traceback for outcome in outcomes if isinstance(outcome, Raised)), "")


def _none(each: PropertyReport) -> PropertyReport:
    return PropertyReport(each.property, Decimal(0), each.of, each.passed, each.total)
