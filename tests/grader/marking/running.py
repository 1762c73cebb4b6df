"""Learners' functions called without a jail, on the cases of a code item, and judged."""

from __future__ import annotations

import copy
from collections.abc import Callable
from functools import cache
from typing import Any

import numpy as np

from grader.marking.code import CodeJudgement, Outcomes, judge_code
from grader.marking.code_cases import CasePlan, DrawnCase, DrawnCases, arguments_of
from grader.marking.code_outcomes import Outcome, Raised, Returned, WrongKind
from grader.marking.items import CodeItem
from tests.grader import samples

Function = Callable[..., Any]


@cache
def plan(toml: str) -> CasePlan:
    """The case plan of a sample."""
    item = samples.item(toml)
    assert isinstance(item, CodeItem)
    return CasePlan(item)


@cache
def drawn(toml: str, seed: int = 5) -> DrawnCases:
    """Its cases for a seed."""
    return plan(toml).draw(seed)


def call(item: CodeItem, case: DrawnCase, function: Function) -> Outcome:
    """One call, as the sandbox would tell of it."""
    arguments = arguments_of(item, case.plan, case.givens)
    handed = copy.deepcopy(arguments)
    if case.plan.forms and case.plan.forms[0][1].layout == "read_only":
        for array in handed:
            if isinstance(array, np.ndarray):
                array.flags.writeable = False
    try:
        with np.errstate(all="ignore"):
            result = function(*handed)
    except Exception as error:  # noqa: BLE001 -- a learner's function may raise anything
        return Raised(type(error).__name__, str(error), 2)
    try:
        values = tuple(np.asarray(part) for part in _flat(result, nested=not isinstance(item.returns, str)))
    except (TypeError, ValueError):
        return WrongKind(type(result).__name__)
    if any(value.dtype.kind not in "fib" for value in values):
        return WrongKind(type(result).__name__)
    changed = any(not _same(one, other) for one, other in zip(arguments, handed, strict=True))
    return Returned(values, type(result).__name__, changed)


def _same(one: Any, other: Any) -> bool:
    if isinstance(one, tuple):
        return all(map(_same, one, other))
    return one is other is None or bool(np.array_equal(one, other))


def _flat(result: Any, *, nested: bool) -> list[Any]:
    if nested and isinstance(result, tuple):
        return [leaf for part in result for leaf in _flat(part, nested=nested)]
    return [result]


def judge(toml: str, function: Function, *, seed: int = 5, example: Outcome = None) -> CodeJudgement:
    """The judgement of a function."""
    item, cases = plan(toml).item, drawn(toml, seed)
    calls = [call(item, case, function) for case in cases.in_order]
    again = [call(item, case, function) for case in reversed(cases.visible)][::-1]
    return judge_code(item, cases, Outcomes(calls, again, example))


def slugs(judgement: CodeJudgement) -> list[str]:
    """The slugs of what was found."""
    return [finding.slug for finding in judgement.findings]
