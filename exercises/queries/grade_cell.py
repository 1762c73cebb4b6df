"""One student's assignment: what its grade is made of, and all that was decided about it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from django.db.models import Q

from exercises.models import Assignment, Course, Enrollment, Exemption, Extension, Override
from exercises.queries.assignments import SetWork, work_called
from exercises.queries.grade_page import AssignmentGrade, ItemGrade, gradebook
from grader.marking.text import Text


@dataclass(frozen=True, slots=True)
class ItemLine:
    """An item of the assignment, and what the student has there."""

    title: Text
    grade: ItemGrade


@dataclass(frozen=True, slots=True)
class GradeCell:
    """Everything about one grade; what was decided comes oldest first."""

    student: Enrollment
    work: SetWork
    grade: AssignmentGrade
    items: tuple[ItemLine, ...]
    overrides: tuple[Override, ...]
    exemption: Exemption | None
    extensions: tuple[Extension, ...]


def grade_cell(student: Enrollment, slug: str) -> GradeCell | None:
    """None where the course has no such assignment."""
    book = gradebook(student.course, [student])
    work, line = work_called(book.work, slug), book.students[0]
    if work is None:
        return None
    grade = next(each for each in line.assignments if each.slug == slug)
    items = {each.item_slug: each for each in line.items}
    return GradeCell(
        student=student,
        work=work,
        grade=grade,
        items=tuple(ItemLine(Text.from_json(item.title), items[item.slug]) for item in work.items),
        overrides=_overrides(work.row, student),
        exemption=Exemption.objects.filter(assignment=work.row, enrollment=student).first() if work.row else None,
        extensions=tuple(_extensions(work.row, student)),
    )


def extensions_of(row: Assignment | None) -> tuple[Extension, ...]:
    """Everybody's more time, the earliest given first."""
    if row is None:
        return ()
    given = Extension.objects.filter(assignment=row).select_related("enrollment__user", "label")
    return tuple(given.order_by("granted_at", "pk"))


def extensions_for(student: Enrollment) -> tuple[Extension, ...]:
    """All more time that a student has, whether by name or by a label, in the order in which it ends. One query."""
    given = Extension.objects.filter(Q(enrollment=student) | Q(label__enrollments=student))
    return tuple(given.select_related("assignment", "label").order_by("due_at", "pk").distinct())


@dataclass(frozen=True, slots=True)
class Decided:
    """How much was decided by hand about an assignment: all that goes with it."""

    extensions: int
    overrides: int
    exemptions: int


def decided_about(row: Assignment | None) -> Decided | None:
    """None where nothing was."""
    if row is None:
        return None
    found = Decided(row.extensions.count(), row.overrides.count(), row.exemptions.count())
    return found if any((found.extensions, found.overrides, found.exemptions)) else None


def label_choices(course: Course) -> list[tuple[str, str]]:
    """The labels of a course for a form."""
    return [(str(pk), name) for pk, name in course.labels.order_by("name").values_list("pk", "name")]


def _overrides(row: Assignment | None, student: Enrollment) -> tuple[Override, ...]:
    if row is None:
        return ()
    given = Override.objects.filter(assignment=row, enrollment=student).select_related("given_by")
    return tuple(given.order_by("pk"))


def _extensions(row: Assignment | None, student: Enrollment) -> Iterator[Extension]:
    mine = {label.pk for label in student.labels.all()}
    for each in extensions_of(row):
        if each.enrollment_id == student.pk or each.label_id in mine:
            yield each
