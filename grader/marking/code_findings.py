"""What is wrong with a function, gravest first, each finding with its evidence and what to do next.

A slip that explains what came back stands before everything: it is the reason of the rest. Otherwise: raised, kind, dtype,
shape, NaN or infinity, changed inputs, another result the second time, and last the plain number of wrong calls.
Evidence is looked for in what may be shown: tiny calls first, then those on the page; a hidden call only lends its kind.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from grader.marking.code_faults import IN_PLACE, known_fault
from grader.marking.code_looks import LOOKS, is_shown
from grader.marking.code_outcomes import Raised, Returned, Steadiness, Tried, is_same_outcome
from grader.marking.code_slips import Explanation, explain
from grader.marking.diagnosis import name_slip
from grader.marking.items import CodeItem
from grader.marking.mark import Finding, remark
from grader.marking.phrases import phrase
from grader.marking.properties import CaseGroup, Property
from grader.marking.run_report import CaseState
from grader.marking.text import Text

FROM_SHOWN = (CaseGroup.WITNESS, CaseGroup.VISIBLE, CaseGroup.HIDDEN)


@dataclass(frozen=True, slots=True)
class Found:
    """The findings, gravest first, and the call that shows the first of them best; None where nothing may be shown."""

    findings: tuple[Finding, ...]
    evidence: Tried | None


def find(item: CodeItem, tried: Sequence[Tried], steadiness: Steadiness = Steadiness.STEADY) -> Found:
    """Every finding about calls of which at least one went wrong, or changed its inputs."""
    is_steady = steadiness is Steadiness.STEADY
    in_order = sorted(tried, key=_usefulness)
    changing = [one for one in in_order if one.changed_inputs]
    failing = [
        one
        for one in in_order
        if one.state in {CaseState.WRONG, CaseState.RAISED} and not (changing and _is_refused_change(one))
    ]
    explanation = explain(tried) if failing and is_steady and not item.judge else None
    rest = [one for one in failing if explanation is None or not explanation.fits(one)]
    found = list(_slip_findings(item, explanation)) if explanation else []
    evidence = (failing or changing)[:1]
    if not is_steady:
        found.append(remark(f"code_{steadiness}", phrase(f"code.{steadiness}_title"), phrase(f"code.{steadiness}")))
    elif rest and not item.judge and not found and _is_deaf(tried):
        found.append(remark("code_constant", phrase("code.constant_title"), phrase("code.constant")))
    elif rest:
        finding, one = _gravest(item, rest, tried)
        evidence = evidence if found else [one]
        found.append(finding)
    if changing:
        found.append(_mutated())
    by_slug = {finding.slug: finding for finding in reversed(found)}
    findings = tuple(by_slug[slug] for slug in dict.fromkeys(finding.slug for finding in found))
    return Found(findings, next((one for one in evidence if is_shown(one)), None))


# Fewer calls may be alike by chance.
FEWEST_ALIKE = 5


def _is_deaf(tried: Sequence[Tried]) -> bool:
    """Whether every call came to the same, whatever it was given."""
    outcomes = [one.outcome for one in tried if one.outcome is not None]
    return (
        len(outcomes) >= FEWEST_ALIKE
        and all(isinstance(outcome, Returned) for outcome in outcomes)
        and all(is_same_outcome(outcomes[0], outcome) for outcome in outcomes[1:])
    )


def _usefulness(one: Tried) -> tuple[int, bool]:
    """What is shown before what is not, and ordinary numbers before special ones; else the order of the calls."""
    return FROM_SHOWN.index(one.case.group), one.case.plan.property is not Property.VALUES


def _slip_findings(item: CodeItem, explanation: Explanation) -> Iterator[Finding]:
    """Each slip by its name; the first says on how many calls it is what came back."""
    evidence = phrase("code.evidence", calls=str(explanation.calls))
    for place, slip in enumerate(explanation.slips):
        finding = name_slip(item, item.derivation, slip, field="")
        yield replace(finding, text=_joined(finding.text, evidence)) if place == 0 else finding


def _joined(one: Text, other: Text) -> Text:
    return Text(one.zh_hans + other.zh_hans, f"{one.en} {other.en}")


def _gravest(item: CodeItem, failing: Sequence[Tried], tried: Sequence[Tried]) -> tuple[Finding, Tried]:
    """The gravest thing that a call shows, and that call."""
    for look in LOOKS:
        for one in failing:
            finding = look(item, one)
            if finding is not None:
                return finding, one
    if all(one.changed_inputs for one in failing):
        return _mutated(), failing[0]
    return _wrong(item, failing[0], tried), failing[0]


def _is_refused_change(one: Tried) -> bool:
    """Whether NumPy refused in this call what others allowed: `x /= 2` on whole numbers, or on an array to be read only."""
    known = known_fault(one.outcome) if isinstance(one.outcome, Raised) else None
    return known is not None and known.name in IN_PLACE


def _mutated() -> Finding:
    return remark("code_mutated", phrase("code.mutated_title"), phrase("code.mutated"))


# What is said where a single property fails.
WRONG_ONLY = {
    Property.SHAPES: "wrong_shapes",
    Property.STABILITY: "wrong_stability",
    Property.INPUTS: "wrong_inputs",
}


def _wrong(item: CodeItem, worst: Tried, tried: Sequence[Tried]) -> Finding:
    """Numbers that nothing explains; which property they belong to tells where to look."""
    counted = [one for one in tried if one.case.group is not CaseGroup.WITNESS]
    wrong = sum(one.state is not CaseState.RIGHT for one in counted)
    details = {"wrong": str(wrong), "total": str(len(counted))}
    wrong_about = {one.case.plan.property for one in counted if one.state is not CaseState.RIGHT}
    (only, *others) = wrong_about or {worst.case.plan.property}
    name = "wrong" if others or item.judge else WRONG_ONLY.get(only, "wrong")
    return remark("code_wrong", phrase("code.wrong_title"), phrase(f"code.{name}", **details))
