"""The totals and points of a whole class, to sort a gradebook by and to take its means over."""

from __future__ import annotations

from dataclasses import dataclass
from decimal import Decimal

from exercises.models import Course
from exercises.queries.grade_page import gradebook, students_of


@dataclass(frozen=True, slots=True)
class StudentPoints:
    """By the id of the enrollment. `scores` stand in the order of the assignments; None is no grade."""

    enrollment: int
    total: Decimal | None
    scores: tuple[Decimal | None, ...]


@dataclass(frozen=True, slots=True)
class ClassGrades:
    """Every student, and the addresses of the assignments."""

    slugs: tuple[str, ...]
    students: tuple[StudentPoints, ...]


def class_grades(course: Course) -> ClassGrades:
    """The gradebook's own figures, without the rest of it."""
    book = gradebook(course, list(students_of(course)))
    return ClassGrades(
        slugs=tuple(work.slug for work in book.work),
        students=tuple(
            StudentPoints(student.enrollment_id, student.total, tuple(each.score for each in student.assignments))
            for student in book.students
        ),
    )
