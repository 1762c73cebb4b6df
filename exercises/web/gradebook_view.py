"""The gradebook laid out: words and icons for every state, sorted and cut into pages."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import Any, Final

from django.utils.translation import gettext_lazy as _

from exercises.queries.assignments import SetWork
from exercises.queries.grade_page import AssignmentGrade, Gradebook, GradeState, StudentGrades
from exercises.web.words import Sign

PAGE: Final = 100
GRADES: Final[Mapping[GradeState, Sign]] = {
    GradeState.NONE: Sign("open", _("Nothing sent"), "open"),
    GradeState.PART: Sign("tried", _("In part"), "part"),
    GradeState.WAITING: Sign("waiting", _("Waiting"), "clock"),
    GradeState.COMPLETE: Sign("done", _("Complete"), "check"),
    GradeState.OVERRIDDEN: Sign("shown", _("By hand"), "pen"),
    GradeState.EXEMPT: Sign("shown", _("Exempt"), "info"),
    GradeState.WITHHELD: Sign("waiting", _("Not released"), "clock"),
}


@dataclass(frozen=True, slots=True)
class GradeSign:
    """A grade with its sign."""

    grade: AssignmentGrade
    sign: Sign


@dataclass(frozen=True, slots=True)
class GradeLine:
    """One student's line."""

    student: StudentGrades
    cells: tuple[GradeSign, ...]


@dataclass(frozen=True, slots=True)
class Chosen:
    """Which students are wanted, in which order."""

    label: str = ""
    sort: str = "name"
    page: int = 1


@dataclass(frozen=True, slots=True)
class GradebookView:
    """One page of the gradebook; the means are over all students who have a grade."""

    work: tuple[SetWork, ...]
    lines: tuple[GradeLine, ...]
    means: tuple[Decimal | None, ...]
    students: int
    page: int
    pages: int
    chosen: Chosen


def gradebook_view(book: Gradebook, chosen: Chosen) -> GradebookView:
    """The page that is wanted."""
    ordered = _sorted(book.students, chosen.sort)
    pages = max(1, -(-len(ordered) // PAGE))
    page = min(max(1, chosen.page), pages)
    return GradebookView(
        work=book.work,
        lines=tuple(grade_line(student) for student in ordered[(page - 1) * PAGE : page * PAGE]),
        means=tuple(_mean([student.assignments[place] for student in ordered]) for place in range(len(book.work))),
        students=len(ordered),
        page=page,
        pages=pages,
        chosen=chosen,
    )


def grade_line(student: StudentGrades) -> GradeLine:
    """One student's grades with their signs."""
    return GradeLine(student, tuple(GradeSign(each, GRADES[each.state]) for each in student.assignments))


def _mean(grades: Sequence[AssignmentGrade]) -> Decimal | None:
    scores = [grade.score for grade in grades if grade.score is not None]
    return round(sum(scores, Decimal(0)) / len(scores), 2) if scores else None


def _sorted(students: Sequence[StudentGrades], sort: str) -> list[StudentGrades]:
    """By a field or an assignment, upwards; downwards with "-" before it. Who has no grade comes last either way."""
    name, is_down = sort.removeprefix("-"), sort.startswith("-")
    keys: dict[str, Callable[[StudentGrades], Any]] = {
        "name": lambda student: (student.name.casefold(), student.username),
        "number": lambda student: student.username.casefold(),
        "total": lambda student: student.total,
    }
    key: Callable[[StudentGrades], Any] = keys.get(name) or (lambda student: _score(student, name))
    known = [student for student in students if key(student) is not None]
    rest = [student for student in students if key(student) is None]
    return [*sorted(known, key=key, reverse=is_down), *rest]


def _score(student: StudentGrades, slug: str) -> Decimal | None:
    return next((each.score for each in student.assignments if each.slug == slug), None)
