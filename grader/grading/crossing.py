"""Both sides of the wall: the marking's arrays as the sandbox's frames, and what the sandbox tells in marking's words."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from grader import sandbox
from grader.attention.projection import Array
from grader.marking.case_judges import JUDGES
from grader.marking.code_cases import Argument, DrawnCase, arguments_of
from grader.marking.code_outcomes import Outcome, Raised, Returned, WrongKind
from grader.marking.items import CodeItem, Names
from grader.sandbox import Case, CaseOutcome, Fault, Frame, Layout, RunResult, Value

ONE = "."


def call_of(item: CodeItem, case: DrawnCase) -> Case:
    """One call as the sandbox makes it."""
    layouts = [Layout(case.plan.form(_first(name, item)).layout) for name in item.parameters]
    arguments = arguments_of(item, case.plan, case.givens)
    form = JUDGES[item.judge].returns if item.judge else form_of(item.returns)
    return Case(tuple(map(_value, arguments, layouts)), returns=form)


def example_call(item: CodeItem, function: str) -> Case:
    """The call that asks for the learner's own arguments."""
    pairs = dict(item.pairs)
    names = tuple(pairs.get(name, name) for name in item.parameters)
    return Case((), function, form_of(names))


def _first(parameter: str, item: CodeItem) -> str:
    return dict(item.pairs).get(parameter, (parameter,))[0]


def form_of(names: Names) -> str:
    """The form of a result as the sandbox draws it."""
    return ONE if isinstance(names, str) else f"({''.join(map(form_of, names))})"


def _value(argument: Argument, layout: Layout) -> Value:
    if argument is None:
        return None
    if isinstance(argument, tuple):
        return tuple(_value(part, layout) for part in argument)
    return Frame(str(argument.dtype), argument.shape, argument.tobytes(), layout)


def outcomes_of(result: RunResult, calls: int) -> list[Outcome]:
    """The outcome of every call, each with what was printed during it; None for those that were not reached."""
    printed = [*result.printed[1:], *[""] * calls]
    reached = [outcome_of(outcome, text) for outcome, text in zip(result.outcomes, printed, strict=False)]
    return [*reached, *[None] * (calls - len(reached))]


def outcome_of(outcome: CaseOutcome, printed: str) -> Outcome:
    """One outcome in marking's words."""
    if isinstance(outcome, sandbox.Returned):
        return Returned(tuple(_arrays(outcome.value)), outcome.kind, outcome.inputs_changed, printed)
    if isinstance(outcome, sandbox.Raised):
        return raised_by(outcome.fault, printed)
    return WrongKind(outcome.kind, printed)


def raised_by(fault: Fault, printed: str = "") -> Raised:
    """An exception in marking's words."""
    return Raised(fault.kind, fault.message, fault.line, fault.arrays, fault.traceback, printed)


def _arrays(value: Value) -> Iterator[Array]:
    """The arrays of a result from left to right."""
    if isinstance(value, Frame):
        yield np.frombuffer(value.data, dtype=value.dtype).reshape(value.shape)
    else:
        for part in value or ():
            yield from _arrays(part)


def shown_output(result: RunResult, shown_calls: Sequence[int]) -> str:
    """What was printed while loading, and during calls that may be shown; `shown_calls` count from 0."""
    parts = dict(enumerate(result.printed))
    return "".join(parts.get(place, "") for place in (0, *(call + 1 for call in shown_calls)))
