"""What came back from one call, and whether it is right."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

import numpy as np

from grader.attention.projection import Array
from grader.marking.case_judges import JUDGES
from grader.marking.code_cases import DrawnCase, Result
from grader.marking.items import CodeItem
from grader.marking.properties import Property
from grader.marking.run_report import CaseState
from grader.marking.text import NO_TEXT, Text

# Python's names for a number by itself: an array without dimensions.
NUMBER_KINDS = frozenset({"float", "int", "bool", "float64", "float32", "float16", "int64", "int32", "bool_"})


@dataclass(frozen=True, slots=True)
class Returned:
    """The function came back with numbers; `values` are the arrays from left to right, `kind` is what held them."""

    values: Result
    kind: str = "ndarray"
    inputs_changed: bool = False
    printed: str = ""


@dataclass(frozen=True, slots=True)
class Raised:
    """The function raised; `line` is the learner's, `arrays` the shapes of what that line names."""

    kind: str
    message: str
    line: int | None
    arrays: str = ""
    traceback: str = ""
    printed: str = ""


@dataclass(frozen=True, slots=True)
class WrongKind:
    """The function came back with something that is no array of real numbers, or not in the form that was asked for."""

    kind: str
    printed: str = ""


class Steadiness(StrEnum):
    """Whether the arguments alone decide what comes back; else earlier calls do, or chance."""

    STEADY = "steady"
    REMEMBERS = "remembers"
    CHANGES = "unsteady"


Outcome = Returned | Raised | WrongKind | None  # None: the case was not reached


@dataclass(frozen=True, slots=True)
class Tried:
    """One call with its outcome: whether the values are right, and whether the kept work is."""

    case: DrawnCase
    outcome: Outcome
    is_right: bool
    work_is_right: bool
    note: Text = NO_TEXT

    @property
    def state(self) -> CaseState:
        """How the call ended."""
        if self.outcome is None:
            return CaseState.NOT_REACHED
        if isinstance(self.outcome, Raised):
            return CaseState.RAISED
        return CaseState.RIGHT if self.is_right and self.work_is_right else CaseState.WRONG

    @property
    def changed_inputs(self) -> bool:
        """Whether the call came back with its arguments changed."""
        return isinstance(self.outcome, Returned) and self.outcome.inputs_changed


def try_out(item: CodeItem, case: DrawnCase, outcome: Outcome) -> Tried:
    """Judge one outcome: kind first, then shape, finiteness and distance."""
    if not isinstance(outcome, Returned) or not has_right_kind(item, case, outcome):
        return Tried(case, outcome, is_right=False, work_is_right=False)
    is_elsewhere = Property.INPUTS in dict(item.credit) and case.plan.property is not Property.INPUTS
    untouched = is_elsewhere or not outcome.inputs_changed
    if item.judge:
        judged = JUDGES[item.judge].judge(case.expected[0], outcome.values)
        return Tried(case, outcome, judged.is_right and untouched, work_is_right=True, note=judged.because)
    right = {
        name: case.agrees(value, expected)
        for name, value, expected in zip(case.returns, outcome.values, case.expected, strict=True)
    }
    values = [is_right for name, is_right in right.items() if name not in item.work]
    return Tried(case, outcome, all(values) and untouched, all(right[name] for name in item.work))


def has_right_kind(item: CodeItem, case: DrawnCase, outcome: Returned) -> bool:
    """Whether one array came back as an array: a list or a matrix computes otherwise in whatever comes next."""
    if item.judge or not isinstance(item.returns, str):
        return True
    return outcome.kind == "ndarray" or (outcome.kind in NUMBER_KINDS and case.expected[0].ndim == 0)


def has_right_shapes(case: DrawnCase, outcome: Returned) -> bool:
    """Whether every array has the shape that it should."""
    return [value.shape for value in outcome.values] == [expected.shape for expected in case.expected]


def is_finite(values: Sequence[Array]) -> bool:
    """Whether there is neither NaN nor infinity."""
    return all(bool(np.isfinite(value).all()) for value in values)


def is_same_outcome(one: Outcome, other: Outcome) -> bool:
    """Whether two calls with the same arguments came to the same. A call that was not made contradicts nothing."""
    if one is None or other is None:
        return True
    if isinstance(one, Returned) and isinstance(other, Returned):
        pairs = list(zip(one.values, other.values, strict=True))
        return all(
            mine.shape == theirs.shape and np.allclose(mine, theirs, rtol=1e-6, atol=1e-9, equal_nan=True)
            for mine, theirs in pairs
        )
    return type(one) is type(other)
