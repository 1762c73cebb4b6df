"""What a single call shows to be wrong, each look with its own words; the gravest of them stands first."""

from __future__ import annotations

import re
from collections.abc import Callable

import numpy as np

from grader.attention.projection import Array
from grader.derivation.tolerance import HAIR
from grader.marking.case_judges import JUDGES
from grader.marking.code_faults import raised_finding
from grader.marking.code_outcomes import (
    Raised,
    Returned,
    Tried,
    WrongKind,
    has_right_kind,
    has_right_shapes,
    is_finite,
)
from grader.marking.items import CodeItem, Names
from grader.marking.mark import Finding, remark
from grader.marking.phrases import phrase
from grader.marking.properties import CaseGroup, Property


def is_shown(one: Tried) -> bool:
    """Whether all of a call may be told."""
    return one.case.group is not CaseGroup.HIDDEN


def _raised(item: CodeItem, one: Tried) -> Finding | None:
    if not isinstance(one.outcome, Raised):
        return None
    return raised_finding(one.outcome, signature=item.signature, is_shown=is_shown(one))


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
# What people round to; with more decimals it is right.
MOST_DECIMALS = range(7)


def _is_cut(value: Array, expected: Array) -> bool:
    if value.size < TELLING_CELLS:
        return False
    if value.dtype.kind == "i":
        return any((value == cut(expected)).all() for cut in (np.trunc, np.floor, np.rint))
    if value.dtype.kind == "b":
        return bool((value == (expected != 0)).all())
    return value.dtype == np.float32 and np.allclose(value, expected, rtol=1e-3, atol=1e-3 * np.abs(expected).max())


def _rounded(_item: CodeItem, one: Tried) -> Finding | None:
    """Right but for the decimals that were taken off."""
    outcome = one.outcome
    if not isinstance(outcome, Returned) or one.changed_inputs or not has_right_shapes(one.case, outcome):
        return None
    for value, expected in zip(outcome.values, one.case.expected, strict=True):
        if value.size < TELLING_CELLS or one.case.agrees(value, expected):
            continue
        for decimals in MOST_DECIMALS:
            if np.allclose(value, expected.round(decimals), rtol=0, atol=HAIR):
                text = phrase("code.rounded", decimals=str(decimals))
                return remark("code_rounded", phrase("code.rounded_title"), text)
    return None


def _work(_item: CodeItem, one: Tried) -> Finding | None:
    """The result is right, and what is kept for the next call is not."""
    outcome = one.outcome
    if not isinstance(outcome, Returned) or not one.is_right or one.work_is_right:
        return None
    misshapen = _first_misshapen(one, outcome)
    if misshapen is None:
        text = phrase("code.work")
    elif is_shown(one):
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
    text = phrase("code.shape", **misshapen) if is_shown(one) else phrase("code.shape_hidden")
    return remark("code_shape", phrase("code.shape_title"), text)


def _not_finite(_item: CodeItem, one: Tried) -> Finding | None:
    if not isinstance(one.outcome, Returned) or is_finite(one.outcome.values):
        return None
    name = "overflow" if one.case.plan.property is Property.STABILITY else "not_finite"
    return remark(f"code_{name}", phrase(f"code.{name}_title"), phrase(f"code.{name}"))


def _judged(item: CodeItem, one: Tried) -> Finding | None:
    if not item.judge or not isinstance(one.outcome, Returned):
        return None
    text = one.note if is_shown(one) else phrase("code.judged_hidden")
    return remark("code_judged", phrase("code.judged_title"), text)


Look = Callable[[CodeItem, Tried], Finding | None]
# The gravest first.
LOOKS: tuple[Look, ...] = (_raised, _kind, _judged, _dtype, _rounded, _work, _shape, _not_finite)
