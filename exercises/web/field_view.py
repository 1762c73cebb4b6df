"""The fields of an item's form: what each shows, how it was judged, and what could not be understood."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from string import ascii_uppercase
from typing import Any

from django.utils.translation import gettext as _

from exercises.web.responses import cell_name
from exercises.web.words import CELLS, FIELDS, ROLES, Sign
from grader.derivation.convention import twin_name
from grader.derivation.typeset import plain_symbol
from grader.marking.items import Option
from grader.marking.mark import FieldMark, Finding, Mark
from grader.marking.response import Problem
from grader.marking.text import Text
from grader.marking.variants import FieldShape


@dataclass(frozen=True, slots=True)
class CellView:
    """One number to type."""

    name: str
    id: str
    label: str
    value: str
    sign: Sign | None
    problem: Text | None

    @property
    def note_id(self) -> str:
        """The element that says how the cell was judged, if any."""
        return f"{self.id}-note" if self.sign or self.problem else ""


@dataclass(frozen=True, slots=True)
class FieldView:
    """One matrix or vector to fill in."""

    shape: FieldShape
    role: str
    rows: tuple[tuple[CellView, ...], ...]
    sign: Sign | None
    findings: tuple[Finding, ...]


@dataclass(frozen=True, slots=True)
class OptionView:
    """One answer to choose; the letter names its place on this page, whatever its key."""

    letter: str
    key: str
    id: str
    text: Text
    is_chosen: bool


@dataclass(frozen=True, slots=True)
class ProblemView:
    """One line of the error summary, linked to its place."""

    text: Text
    anchor: str
    place: str


def field_views(
    slug: str,
    shapes: Sequence[FieldShape],
    response: Mapping[str, Any],
    marking: Mark | None,
    problems: Sequence[Problem],
) -> tuple[FieldView, ...]:
    """All fields of a numeric item with what was typed; a response that was refused carries no marks."""
    typed = response.get("fields", {})
    marks = {field.name: field for field in marking.fields} if marking else {}
    findings = marking.findings if marking else ()
    return tuple(
        FieldView(
            shape=shape,
            role=ROLES.get(shape.name[:1], ""),
            rows=_rows(slug, shape, typed.get(shape.name, []), marks.get(shape.name), problems),
            sign=FIELDS[marks[shape.name].state] if shape.name in marks else None,
            findings=tuple(found for found in findings if found.field == shape.name),
        )
        for shape in shapes
    )


def option_views(slug: str, options: Sequence[Option], response: Mapping[str, Any]) -> tuple[OptionView, ...]:
    """The options in the order of this variant; a guess is one that was chosen."""
    chosen = response.get("chosen", [response.get("guess")])
    return tuple(
        OptionView(letter, option.key, f"{slug}-option-{option.key}", option.text, option.key in chosen)
        for letter, option in zip(ascii_uppercase, options, strict=False)
    )


def problem_views(slug: str, problems: Sequence[Problem], default_anchor: str) -> tuple[ProblemView, ...]:
    """The error summary: each line leads to the cell or box it speaks of."""
    return tuple(
        ProblemView(
            text=problem.text,
            anchor=f"{slug}-{cell_name(problem.field, problem.row, problem.column)}"
            if problem.field
            else default_anchor,
            place=cell_label(problem.field, problem.row, problem.column) if problem.field else "",
        )
        for problem in problems
    )


def turned_problems(slug: str, problems: Sequence[Problem], default_anchor: str) -> tuple[ProblemView, ...]:
    """The same where the page shows every array that can be filled in as its transpose."""
    views = problem_views(slug, problems, default_anchor)
    return tuple(
        replace(view, place=cell_label(twin_name(problem.field), problem.column, problem.row))
        if problem.field
        else view
        for view, problem in zip(views, problems, strict=True)
    )


def box_problems(slug: str, problems: Sequence[Problem], default_anchor: str) -> tuple[ProblemView, ...]:
    """The error summary of a program: each line leads to the box that it names, the code or the call."""
    return tuple(
        ProblemView(problem.text, f"{slug}-{problem.field}" if problem.field else default_anchor, place="")
        for problem in problems
    )


def _rows(
    slug: str, shape: FieldShape, typed: Sequence[Sequence[str]], mark: FieldMark | None, problems: Sequence[Problem]
) -> tuple[tuple[CellView, ...], ...]:
    at = {(problem.row, problem.column): problem.text for problem in problems if problem.field == shape.name}
    return tuple(
        tuple(
            CellView(
                name=cell_name(shape.name, row, column),
                id=f"{slug}-{cell_name(shape.name, row, column)}",
                label=cell_label(shape.name, row, column),
                value=_typed(typed, row, column),
                sign=CELLS[mark.cells[row][column]] if mark else None,
                problem=at.get((row, column)),
            )
            for column in range(shape.columns)
        )
        for row in range(shape.rows)
    )


def _typed(typed: Sequence[Sequence[str]], row: int, column: int) -> str:
    """What stands in a cell; a response by the API may have come in another form, which the grid cannot show."""
    if isinstance(typed, str) or row >= len(typed) or isinstance(typed[row], str) or column >= len(typed[row]):
        return ""
    return str(typed[row][column])


def cell_label(field: str, row: int, column: int) -> str:
    """What a cell is called, by the letter of the lessons and counting from 1."""
    place = {"field": plain_symbol(field), "row": row + 1, "column": column + 1}
    return _("%(field)s, row %(row)d, column %(column)d") % place
