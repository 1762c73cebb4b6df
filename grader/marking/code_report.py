"""Calls as they are shown: arrays with their shapes, the first cell that differs, and how that cell is worked out."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from grader.attention.projection import Array
from grader.derivation.terms import FACTORS
from grader.derivation.typeset import number, worked_cell
from grader.marking.case_judges import JUDGES
from grader.marking.closeness import close_cells, code_tolerance
from grader.marking.code_cases import Argument, DrawnCase, arguments_of
from grader.marking.code_outcomes import Outcome, Raised, Returned, Tried, WrongKind, has_right_shapes
from grader.marking.items import CodeItem
from grader.marking.properties import CaseGroup
from grader.marking.run_report import ArrayReport, CaseReport, Difference

SHOWN_CELLS = 200
MATRIX = 2
# Steps whose cells are written out, besides the sums of products.
WRITTEN_OUT = frozenset(
    {*FACTORS, "softmax", "causal_softmax", "masked_softmax", "scale_logits", "scale_logits_columns"}
)


def report(item: CodeItem, tried: Tried, number_on_page: int) -> CaseReport:
    """What is told of a call: everything, or of a hidden one only how it ended."""
    case = tried.case
    if case.group is CaseGroup.HIDDEN:
        return CaseReport(number_on_page, case.group, case.plan.property, tried.state)
    arguments = arguments_of(item, case.plan, case.givens)
    outcome = tried.outcome
    return CaseReport(
        number=number_on_page,
        group=case.group,
        property=case.plan.property,
        state=tried.state,
        call=_call(item, case),
        given=tuple(_shown_arguments(item.parameters, arguments, dict(item.pairs))),
        expected=() if item.judge else _arrays(case.returns, case.expected),
        got=got(_names(item, case), outcome),
        difference=None if item.judge else first_difference(case, outcome),
        error=_error(outcome),
        line=outcome.line if isinstance(outcome, Raised) else None,
        inputs_changed=tried.changed_inputs,
        printed=outcome.printed if outcome else "",
        note=tried.note,
    )


def _names(item: CodeItem, case: DrawnCase) -> tuple[str, ...]:
    return JUDGES[item.judge].parts if item.judge else case.returns


def _call(item: CodeItem, case: DrawnCase) -> str:
    """The call as a learner would write it: `project(x, W)`, `step(x_t, None, W_Q)`."""
    pairs = dict(item.pairs)
    names = [
        name if all(part in case.givens for part in pairs.get(name, (name,))) else "None" for name in item.parameters
    ]
    while names and names[-1] == "None":
        names.pop()
    return f"{item.function}({', '.join(names)})"


def _shown_arguments(
    names: Sequence[str], arguments: Sequence[Argument], pairs: dict[str, tuple[str, ...]]
) -> Iterator[ArrayReport]:
    for name, argument in zip(names, arguments, strict=True):
        if argument is None:
            yield ArrayReport(name, "None", (), ("None",))
        elif isinstance(argument, tuple):
            inner = [f"{name}[{place}]" for place in range(len(pairs[name]))]
            yield from _shown_arguments(inner, argument, pairs)
        else:
            yield array_report(name, argument)


def _arrays(names: Sequence[str], values: Sequence[Array]) -> tuple[ArrayReport, ...]:
    return tuple(array_report(name, value) for name, value in zip(names, values, strict=True))


def got(names: Sequence[str], outcome: Outcome) -> tuple[ArrayReport, ...]:
    """The arrays that came back; none where something else did."""
    return _arrays(names, outcome.values) if isinstance(outcome, Returned) else ()


def array_report(name: str, value: Array) -> ArrayReport:
    """An array as text, cell by cell; a large one by its shape alone."""
    cells = tuple(map(cell_text, value.reshape(-1).tolist())) if value.size <= SHOWN_CELLS else ()
    return ArrayReport(name, str(value.dtype), tuple(value.shape), cells)


def cell_text(value: float) -> str:
    """A number as a learner would write it."""
    if isinstance(value, bool | int):
        return str(value)
    return number(value) if np.isfinite(value) else str(value)


def _error(outcome: Outcome) -> str:
    if isinstance(outcome, Raised):
        return f"{outcome.kind}: {outcome.message}" if outcome.message else outcome.kind
    return outcome.kind if isinstance(outcome, WrongKind) else ""


def first_difference(case: DrawnCase, outcome: Outcome) -> Difference | None:
    """The first wrong cell, where both sides have the same shape."""
    if not isinstance(outcome, Returned) or not has_right_shapes(case, outcome):
        return None
    for name, value, expected in zip(case.returns, outcome.values, case.expected, strict=True):
        wrong = np.argwhere(~close_cells(value, expected, code_tolerance(value, expected, is_single=case.is_single)))
        if len(wrong):
            cell = tuple(int(place) for place in wrong[0])
            return Difference(
                name, cell, cell_text(expected[cell].item()), cell_text(value[cell].item()), _worked(case, name, cell)
            )
    return None


def _worked(case: DrawnCase, name: str, cell: tuple[int, ...]) -> str:
    """How the cell is worked out in numbers; nothing for a batch, or a step that is no short formula."""
    step = case.plan.derivation.step(name)
    too_deep = any(case.values[argument].ndim > MATRIX for argument in step.arguments)
    if step.operation.name not in WRITTEN_OUT or too_deep or not cell:
        return ""
    return worked_cell(step, case.values, cell)
