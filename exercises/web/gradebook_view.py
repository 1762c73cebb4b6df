"""The gradebook laid out: words and icons for every state, sorted and cut into pages."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import Final

from django.utils.translation import gettext_lazy as _

from exercises.models import Course
from exercises.queries.assignments import SetWork
from exercises.queries.class_grades import ClassGrades, StudentPoints
from exercises.queries.grade_page import AssignmentGrade, GradeState, StudentGrades, gradebook, students_of
from exercises.services.snapshot_refresh import Kept
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
class Person:
    """A student by the id of the enrollment."""

    member: int
    display_name: str
    number: str

    @property
    def name(self) -> str:
        """What is shown."""
        return self.display_name or self.number


@dataclass(frozen=True, slots=True)
class Chosen:
    """Which students are wanted, in which order."""

    label: str = ""
    sort: str = "name"
    page: int = 1


@dataclass(frozen=True, slots=True)
class GradebookView:
    """One page of the gradebook, as it is now. Its order and the means over all who have a grade go by `kept`."""

    work: tuple[SetWork, ...]
    lines: tuple[GradeLine, ...]
    means: tuple[Decimal | None, ...]
    students: int
    page: int
    pages: int
    chosen: Chosen
    kept: Kept[ClassGrades]


def gradebook_view(course: Course, kept: Kept[ClassGrades], chosen: Chosen) -> GradebookView:
    """The page that is wanted; grades are worked out for those on it alone."""
    students = students_of(course)
    if chosen.label:
        students = students.filter(labels__name=chosen.label).distinct()
    people = [Person(*row) for row in students.values_list("pk", "user__display_name", "user__username")]
    ordered = _ordered(people, kept.figures, chosen.sort)
    pages = max(1, -(-len(ordered) // PAGE))
    page = min(max(1, chosen.page), pages)
    shown = students.in_bulk([each.member for each in ordered[(page - 1) * PAGE : page * PAGE]])
    book = gradebook(course, list(shown.values()))
    lines = {student.enrollment_id: grade_line(student) for student in book.students}
    return GradebookView(
        work=book.work,
        lines=tuple(lines[each.member] for each in ordered if each.member in lines),
        means=_means([work.slug for work in book.work], kept.figures, {each.member for each in people}),
        students=len(ordered),
        page=page,
        pages=pages,
        chosen=chosen,
        kept=kept,
    )


def grade_line(student: StudentGrades) -> GradeLine:
    """One student's grades with their signs."""
    return GradeLine(student, tuple(GradeSign(each, GRADES[each.state]) for each in student.assignments))


def _means(slugs: Sequence[str], figures: ClassGrades, members: Collection[int]) -> tuple[Decimal | None, ...]:
    """Of each assignment, over those of the members who have a grade there."""
    students = [each for each in figures.students if each.enrollment in members]
    return tuple(_mean(_points(students, figures, slug)) for slug in slugs)


def _points(students: Sequence[StudentPoints], figures: ClassGrades, slug: str) -> list[Decimal]:
    if slug not in figures.slugs:
        return []
    place = figures.slugs.index(slug)
    return [score for each in students if (score := each.scores[place]) is not None]


def _mean(scores: Sequence[Decimal]) -> Decimal | None:
    return round(sum(scores, Decimal(0)) / len(scores), 2) if scores else None


def _ordered(people: Sequence[Person], figures: ClassGrades, sort: str) -> list[Person]:
    """By name, number, total or an assignment, upwards; downwards with "-" before it. Who has no grade comes last."""
    name, is_down = sort.removeprefix("-"), sort.startswith("-")
    by_name = sorted(people, key=lambda each: (each.name.casefold(), each.number))
    if name == "number":
        return sorted(people, key=lambda each: each.number.casefold(), reverse=is_down)
    if name == "total":
        known = {each.enrollment: each.total for each in figures.students if each.total is not None}
    elif name in figures.slugs:
        place = figures.slugs.index(name)
        known = {each.enrollment: score for each in figures.students if (score := each.scores[place]) is not None}
    else:
        return by_name[::-1] if is_down else by_name
    graded = [each for each in by_name if each.member in known]
    rest = [each for each in by_name if each.member not in known]
    return [*sorted(graded, key=lambda each: known[each.member], reverse=is_down), *rest]
