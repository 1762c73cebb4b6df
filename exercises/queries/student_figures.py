"""A few figures of each student of a course, to sort a large class by."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from django.db import connection
from django.utils import timezone

from exercises.models import Course
from exercises.queries.work_done import STUCK, WORK, stuck_parameters, work_parameters

_STUDENTS: Final = f"""
WITH {WORK}
SELECT student, COUNT(*), SUM(CASE WHEN solved > 0 THEN 1 ELSE 0 END), COALESCE(SUM(score), 0),
    SUM(CASE WHEN {STUCK} THEN 1 ELSE 0 END), MAX(last)
FROM work GROUP BY student"""  # noqa: S608 -- conditions of our own


@dataclass(frozen=True, slots=True)
class StudentFigures:
    """By the id of the enrollment. At `stuck` items the student is stuck; `last` grows with every answer that is sent."""

    enrollment: int
    tried: int
    solved: int
    score: float
    stuck: int
    last: int


@dataclass(frozen=True, slots=True)
class ClassFigures:
    """Students who have sent something that counts."""

    students: tuple[StudentFigures, ...]


def class_figures(course: Course) -> ClassFigures:
    """One query. The score is the sum of the best marks: it is to sort by; what counts is in the gradebook."""
    with connection.cursor() as cursor:
        cursor.execute(_STUDENTS, (*work_parameters(course), *stuck_parameters(timezone.now())))
        return ClassFigures(tuple(StudentFigures(*row) for row in cursor.fetchall()))
