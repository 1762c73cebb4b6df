"""Marking what a learner's function returned: by its behaviour on every case, never by its text."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal

import numpy as np

from grader.attention.projection import Array
from grader.derivation.slips import Slip
from grader.marking.closeness import code_tolerance, is_close
from grader.marking.code_cases import DrawnCase, SlipKey, report, show
from grader.marking.diagnosis import name_slip
from grader.marking.items import CodeItem
from grader.marking.mark import CaseReport, CaseState, Finding, remark
from grader.marking.phrases import phrase
from grader.marking.text import Text


@dataclass(frozen=True, slots=True)
class Returned:
    """The function came back with numbers."""

    value: Array
    inputs_changed: bool = False


@dataclass(frozen=True, slots=True)
class Raised:
    """The function raised; `line` is the learner's."""

    kind: str
    message: str
    line: int | None


@dataclass(frozen=True, slots=True)
class WrongKind:
    """The function came back with something that is no array of real numbers."""

    kind: str


Outcome = Returned | Raised | WrongKind | None  # None: the case was not reached


@dataclass(frozen=True, slots=True)
class CodeJudgement:
    """Whether the function is right on every case, what was found, and a report of each case."""

    is_right: bool
    findings: tuple[Finding, ...]
    cases: tuple[CaseReport, ...]


def judge_code(item: CodeItem, cases: Sequence[DrawnCase], outcomes: Sequence[Outcome]) -> CodeJudgement:
    """Compare what came back with the derivation, and name the mistake if there is one."""
    states = [_state(case, outcome) for case, outcome in zip(cases, outcomes, strict=True)]
    reports = tuple(
        report(case, state, _got(outcome)) for case, outcome, state in zip(cases, outcomes, states, strict=True)
    )
    if all(state is CaseState.RIGHT for state in states):
        return CodeJudgement(is_right=True, findings=(), cases=reports)
    return CodeJudgement(is_right=False, findings=(_find(item, cases, outcomes, states),), cases=reports)


def _state(case: DrawnCase, outcome: Outcome) -> CaseState:
    if outcome is None:
        return CaseState.NOT_REACHED
    if isinstance(outcome, Raised):
        return CaseState.RAISED
    return CaseState.RIGHT if _is_right(case.expected, outcome) else CaseState.WRONG


def _is_right(expected: Array, outcome: Outcome) -> bool:
    return (
        isinstance(outcome, Returned)
        and not outcome.inputs_changed
        and is_close(outcome.value, expected, code_tolerance(outcome.value, expected))
    )


def _got(outcome: Outcome) -> str:
    if isinstance(outcome, Returned):
        return show(outcome.value)
    if isinstance(outcome, Raised):
        return f"{outcome.kind}: {outcome.message}"
    return outcome.kind if isinstance(outcome, WrongKind) else ""


def _find(
    item: CodeItem, cases: Sequence[DrawnCase], outcomes: Sequence[Outcome], states: Sequence[CaseState]
) -> Finding:
    """The misconception that explains every case, or else what is wrong with the first case that fails."""
    slip = _matching_slip(cases, outcomes)
    if slip is not None:
        return name_slip(item, item.derivation, slip, field="")
    case, outcome = next(
        (case, outcome)
        for case, outcome, state in zip(cases, outcomes, states, strict=True)
        if state is not CaseState.RIGHT
    )
    if isinstance(outcome, Raised):
        return raised_finding(outcome, is_shown=case.visible)
    if isinstance(outcome, WrongKind):
        name = "code.kind_none" if outcome.kind == "NoneType" else "code.kind"
        return remark("code_kind", phrase("code.kind_title"), phrase(name, kind=outcome.kind))
    return _wrong_numbers(case, outcome, states)


def _wrong_numbers(case: DrawnCase, outcome: Outcome, states: Sequence[CaseState]) -> Finding:
    counts = {"wrong": str(sum(state is not CaseState.RIGHT for state in states)), "total": str(len(states))}
    if not isinstance(outcome, Returned):
        return remark("code_wrong", phrase("code.wrong_title"), phrase("code.wrong", **counts))
    if outcome.value.shape != case.expected.shape:
        return remark("code_shape", phrase("code.shape_title"), _shape_text(case, outcome.value))
    if not np.isfinite(outcome.value).all():
        return remark("code_not_finite", phrase("code.not_finite_title"), phrase("code.not_finite"))
    if outcome.inputs_changed:
        return remark("code_mutated", phrase("code.mutated_title"), phrase("code.mutated"))
    return remark("code_wrong", phrase("code.wrong_title"), phrase("code.wrong", **counts))


def _shape_text(case: DrawnCase, got: Array) -> Text:
    if not case.visible:
        return phrase("code.shape_hidden")
    return phrase("code.shape", got=str(got.shape), expected=str(case.expected.shape))


def raised_finding(raised: Raised, *, is_shown: bool) -> Finding:
    """An exception; of one on a hidden case only its kind is told."""
    title = phrase("code.raised_title", kind=raised.kind)
    if not is_shown:
        return remark("code_raised", title, phrase("code.raised_hidden", kind=raised.kind))
    name = "code.raised" if raised.line else "code.raised_no_line"
    return remark("code_raised", title, phrase(name, line=str(raised.line), message=raised.message))


def _matching_slip(cases: Sequence[DrawnCase], outcomes: Sequence[Outcome]) -> Slip | None:
    """The slip whose behaviour the function shows on every case, exceptions included."""
    candidates: dict[SlipKey, Slip] = {}
    for case in cases:
        candidates |= {key: slip for key, slip in case.slips().items() if key not in candidates}
    for key, slip in candidates.items():
        if all(_behaves(case, key, outcome) for case, outcome in zip(cases, outcomes, strict=True)):
            return slip
    return None


def _behaves(case: DrawnCase, key: SlipKey, outcome: Outcome) -> bool:
    here = case.slips().get(key)
    wrong = case.expected if here is None else case.wrong(here)
    if wrong is None:
        return isinstance(outcome, Raised)
    return (
        isinstance(outcome, Returned)
        and not outcome.inputs_changed
        and is_close(outcome.value, wrong, code_tolerance(outcome.value, wrong))
    )


def full_or_nothing(item: CodeItem, judgement: CodeJudgement) -> Decimal:
    """The score: a function that is wrong on one case is not the function that was asked."""
    return item.max_score if judgement.is_right else Decimal(0)
