"""What is wrong with a function, gravest first, each finding with its evidence and what to do next.

A slip that explains what came back stands before everything: it is the reason of the rest. Otherwise: raised, kind, dtype,
shape, NaN or infinity, changed inputs, another result the second time, and last the plain number of wrong calls.
Evidence is looked for in what may be shown: tiny calls first, then those on the page; a hidden call only lends its kind.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np

from grader.attention.projection import Array
from grader.marking.case_judges import JUDGES
from grader.marking.code_faults import IN_PLACE, known_fault, raised_finding
from grader.marking.code_outcomes import (
    Raised,
    Returned,
    Steadiness,
    Tried,
    WrongKind,
    has_right_kind,
    has_right_shapes,
    is_finite,
)
from grader.marking.code_slips import Explanation, explain
from grader.marking.diagnosis import name_slip
from grader.marking.items import CodeItem, Names
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
    elif rest:
        finding, one = _gravest(item, rest, tried)
        evidence = evidence if found else [one]
        found.append(finding)
    if changing:
        found.append(_mutated())
    by_slug = {finding.slug: finding for finding in reversed(found)}
    findings = tuple(by_slug[slug] for slug in dict.fromkeys(finding.slug for finding in found))
    return Found(findings, next((one for one in evidence if _is_shown(one)), None))


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


def _is_shown(one: Tried) -> bool:
    return one.case.group is not CaseGroup.HIDDEN


def _raised(item: CodeItem, one: Tried) -> Finding | None:
    if not isinstance(one.outcome, Raised):
        return None
    return raised_finding(one.outcome, signature=item.signature, is_shown=_is_shown(one))


# What came back by Python's name for it, and what we say of that.
KINDS = {
    "NoneType": "none",
    "generator": "generator",
    "coroutine": "coroutine",
    "list": "list",
    "tuple": "list",
    "matrix": "matrix",
    "MaskedArray": "masked",
    "complex128": "complex",
    "complex64": "complex",
    "function": "function",
    "builtin_function_or_method": "function",
    "method": "function",
}


def _kind(item: CodeItem, one: Tried) -> Finding | None:
    outcome = one.outcome
    if isinstance(outcome, WrongKind):
        return _kind_finding(item, outcome.kind, outcome.printed)
    if isinstance(outcome, Returned) and not has_right_kind(item, one.case, outcome):
        return _kind_finding(item, outcome.kind, outcome.printed)
    return None


SEVERAL = re.compile(r"(tuple|list) of (\d+)")


def _kind_finding(item: CodeItem, kind: str, printed: str) -> Finding:
    several = SEVERAL.fullmatch(kind)
    if several:
        name = "tuple" if several[1] == "tuple" else "list_of_arrays"
    else:
        name = KINDS.get(kind, "uneven" if kind.startswith("uneven") else "kind")
    if name == "none" and printed.strip():
        name = "printed"
    if not isinstance(item.returns, str) or item.judge:
        name = {"none": "form_none"}.get(name, name if name in {"printed", "generator", "coroutine"} else "form")
    details = {"kind": kind, "form": _form(item), "count": several[2] if several else ""}
    title = "form" if name == "form_none" else name
    return remark(f"code_{title}", phrase(f"code.{title}_title"), phrase(f"code.{name}", **details))


def _form(item: CodeItem) -> str:
    """What should come back, as a learner would write it after return."""
    names = JUDGES[item.judge].parts if item.judge else item.returns
    return _written(names)


def _written(names: Names) -> str:
    return names if isinstance(names, str) else f"({', '.join(map(_written, names))})"


def _dtype(_item: CodeItem, one: Tried) -> Finding | None:
    """Right but for the digits that the dtype cannot hold."""
    outcome = one.outcome
    # Digits lost by writing into whole numbers of the caller's come of the writing.
    if not isinstance(outcome, Returned) or one.changed_inputs or not has_right_shapes(one.case, outcome):
        return None
    for value, expected in zip(outcome.values, one.case.expected, strict=True):
        is_cut = _is_cut(value, expected) and not (one.case.is_single and value.dtype == np.float32)
        if is_cut and not one.case.agrees(value, expected):
            dtype = str(value.dtype)
            name = {"bool": "boolean", "float32": "single"}.get(dtype, "whole")
            return remark("code_dtype", phrase("code.dtype_title"), phrase(f"code.{name}", dtype=dtype))
    return None


# One or two cells are whole numbers by chance often enough.
TELLING_CELLS = 3


def _is_cut(value: Array, expected: Array) -> bool:
    if value.size < TELLING_CELLS:
        return False
    if value.dtype.kind == "i":
        return any((value == cut(expected)).all() for cut in (np.trunc, np.floor, np.rint))
    if value.dtype.kind == "b":
        return bool((value == (expected != 0)).all())
    return value.dtype == np.float32 and np.allclose(value, expected, rtol=1e-3, atol=1e-3 * np.abs(expected).max())


def _work(_item: CodeItem, one: Tried) -> Finding | None:
    """The result is right, and what is kept for the next call is not."""
    outcome = one.outcome
    if not isinstance(outcome, Returned) or not one.is_right or one.work_is_right:
        return None
    misshapen = _first_misshapen(one, outcome)
    if misshapen is None:
        text = phrase("code.work")
    elif _is_shown(one):
        text = phrase("code.work_size", **misshapen)
    else:
        text = phrase("code.work_hidden")
    return remark("code_work", phrase("code.work_title"), text)


def _first_misshapen(one: Tried, outcome: Returned) -> dict[str, str] | None:
    """The name of the first array of a wrong shape, with both shapes."""
    for name, value, expected in zip(one.case.returns, outcome.values, one.case.expected, strict=True):
        if value.shape != expected.shape:
            return {"name": name, "got": str(value.shape), "expected": str(expected.shape)}
    return None


def _shape(_item: CodeItem, one: Tried) -> Finding | None:
    misshapen = _first_misshapen(one, one.outcome) if isinstance(one.outcome, Returned) else None
    if misshapen is None:
        return None
    text = phrase("code.shape", **misshapen) if _is_shown(one) else phrase("code.shape_hidden")
    return remark("code_shape", phrase("code.shape_title"), text)


def _not_finite(_item: CodeItem, one: Tried) -> Finding | None:
    if not isinstance(one.outcome, Returned) or is_finite(one.outcome.values):
        return None
    name = "overflow" if one.case.plan.property is Property.STABILITY else "not_finite"
    return remark(f"code_{name}", phrase(f"code.{name}_title"), phrase(f"code.{name}"))


def _judged(item: CodeItem, one: Tried) -> Finding | None:
    if not item.judge or not isinstance(one.outcome, Returned):
        return None
    text = one.note if _is_shown(one) else phrase("code.judged_hidden")
    return remark("code_judged", phrase("code.judged_title"), text)


Look = Callable[[CodeItem, Tried], Finding | None]
LOOKS: tuple[Look, ...] = (_raised, _kind, _judged, _dtype, _work, _shape, _not_finite)


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
