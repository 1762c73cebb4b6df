"""Run a learner's code in the sandbox, then mark, outside, what came back.

Expected values are worked out here and stay here: the sandbox gets the code and the arguments, and gives back arrays. One
jailed run makes every call in this order: those on the page, the learner's own example, tiny witnesses, hidden cases, and
those on the page once more, the last of them first. So all that is shown was printed, raised or returned before the first
hidden argument came in. Only where a call came to something else the second time, a second run tells memory from chance.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from functools import lru_cache
from typing import Any

from grader.bank import parse_item
from grader.grading.crossing import call_of, example_call, outcomes_of, shown_output
from grader.grading.endings import LIMITS, ending, measured
from grader.grading.not_called import not_called
from grader.marking.code import CodeJudgement, Outcomes, judge_code
from grader.marking.code_cases import CasePlan, DrawnCases
from grader.marking.code_faults import known_fault
from grader.marking.code_outcomes import Outcome, Raised, Steadiness
from grader.marking.code_unread import untouched
from grader.marking.finding import Finding
from grader.marking.items import CodeItem
from grader.marking.mark import Mark, verdict_for
from grader.marking.run_report import RunReport
from grader.sandbox import Job, RunResult, RunStatus, Sandbox, SandboxUnavailable

# What is kept ready: as many items as a class works on at a time.
KNOWN_ITEMS = 64
# Every run starts with the same state of chance; a second one shall not.
OTHER_CHANCE = """

import random, numpy.random
random.seed()
numpy.random.seed()
"""
# Findings that would be rash about a run that did not come to its end.
NEED_EVERY_CALL = frozenset({"code_example", "code_wrong"})


@dataclass(frozen=True, slots=True)
class Graded:
    """The outcome of a code submission: a mark, counted or not, or the name of what failed on our side."""

    mark: Mark | None = None
    counted: bool = True
    failure: str | None = None

    def to_json(self) -> dict[str, Any]:
        """Plain JSON, without the ticket that the queue adds."""
        return {"mark": self.mark.to_json() if self.mark else None, "counted": self.counted, "failure": self.failure}


def grade_code(
    definition: Mapping[str, Any], seed: int, code: str, jail: Sandbox, ran: Callable[[], object] = bool
) -> Graded:
    """Grade one submission, and tell through `ran` when the code has run and is marked now.

    Our own trouble ends as a failure, never as the learner's mistake.
    """
    plan = plan_of(definition)
    starter = untouched(plan.item, code)
    if starter is not None:
        return Graded(_no_score(plan.item, None, starter), counted=False)
    drawn = plan.draw(seed)
    job = _job(plan.item, drawn, code)
    try:
        result = jail.run(job)
        outcomes = _outcomes(plan.item, drawn, result)
        if outcomes.steadiness is not Steadiness.STEADY:
            afresh = jail.run(replace(job, code=code.rstrip() + OTHER_CHANCE))
            outcomes = replace(outcomes, afresh=_outcomes(plan.item, drawn, afresh).calls)
    except SandboxUnavailable:
        return Graded(failure="sandbox_unavailable")
    if result.status is RunStatus.INTERNAL_ERROR:
        return Graded(failure="sandbox_internal_error")
    ran()
    return _mark(plan.item, drawn, code, result, outcomes)


def plan_of(definition: Mapping[str, Any]) -> CasePlan:
    """The case plan of an item's definition; of one that was graded lately it is at hand."""
    return _known_plan(json.dumps(definition, ensure_ascii=False))


@lru_cache(maxsize=KNOWN_ITEMS)
def _known_plan(definition: str) -> CasePlan:
    item = parse_item(json.loads(definition))
    if not isinstance(item, CodeItem):
        raise TypeError(f"{item.slug} is a {item.kind} item, not code")
    return CasePlan(item)


def _job(item: CodeItem, drawn: DrawnCases, code: str) -> Job:
    visible = [call_of(item, case) for case in drawn.visible]
    example = [example_call(item, item.bug.shown_by)] if item.bug else []
    unseen = [call_of(item, case) for case in (*drawn.witnesses, *drawn.hidden)]
    # Backwards, so that a function which has forgotten at the first call of a sequence has not at its second.
    cases = (*visible, *example, *unseen, *reversed(visible))
    return Job(code=code, function=item.function, cases=cases, limits=LIMITS)


def _outcomes(item: CodeItem, drawn: DrawnCases, result: RunResult) -> Outcomes:
    """What came back, sorted as the job was put together."""
    examples = 1 if item.bug else 0
    visible = len(drawn.visible)
    calls = outcomes_of(result, len(drawn.in_order) + examples + visible)
    return Outcomes(
        calls=(*calls[:visible], *calls[visible + examples : -visible]),
        again=calls[: -visible - 1 : -1],
        example=calls[visible] if examples else None,
    )


def _mark(item: CodeItem, drawn: DrawnCases, code: str, result: RunResult, outcomes: Outcomes) -> Graded:
    ended = ending(result)
    kept_from = not_called(item, code, result)
    if kept_from is not None:
        run = measured(result, stdout=shown_output(result, ()), traceback=kept_from.traceback)
        finding = ended or kept_from.finding
        return Graded(_no_score(item, run, finding), counted=ended is not None or kept_from.counted)
    judgement = judge_code(item, drawn, outcomes)
    run = _run_report(drawn, result, judgement)
    if ended is not None:
        return Graded(_no_score(item, replace(run, properties=()), ended, *_before_the_end(result, judgement)))
    score = judgement.score
    mark = Mark(verdict_for(score, item.max_score), score, item.max_score, findings=judgement.findings, run=run)
    return Graded(mark, counted=not _is_no_try(outcomes.calls))


def _before_the_end(result: RunResult, judgement: CodeJudgement) -> Sequence[Finding]:
    """What the calls before the one that did not end came to; too few were made to name a slip, or to count.

    Where memory or output ran out, what else is found is its consequence.
    """
    if result.status is not RunStatus.TIME_LIMIT:
        return ()
    return [found for found in judgement.findings if not found.is_misconception and found.slug not in NEED_EVERY_CALL]


def _no_score(item: CodeItem, run: RunReport | None, *findings: Finding) -> Mark:
    score = Decimal(0)
    return Mark(verdict_for(score, item.max_score), score, item.max_score, findings=findings, run=run)


def _is_no_try(calls: Sequence[Outcome]) -> bool:
    """Whether every call failed for a reason that no learner means as a try: a library that is not here, say."""
    known = [known_fault(call) if isinstance(call, Raised) else None for call in calls]
    return all(fault is not None and not fault.is_counted for fault in known)


def _run_report(drawn: DrawnCases, result: RunResult, judgement: CodeJudgement) -> RunReport:
    return replace(
        measured(
            result,
            stdout=shown_output(result, range(len(drawn.visible))),
            traceback=judgement.traceback,
        ),
        cases=judgement.cases,
        properties=judgement.properties,
        smallest=judgement.smallest,
    )
