"""A few figures of each student of a course, to sort a large class by."""

from __future__ import annotations

from dataclasses import dataclass

from django.db import connection

from exercises.enums import Role, Verdict
from exercises.models import Course
from exercises.queries.overview import VAIN_TRIES

_STUDENTS = """
WITH best AS (
    SELECT a.enrollment_id AS student, a.item_id AS item, COUNT(*) AS tries,
        MAX(CAST(m.score AS double precision)) AS score, MAX(CASE WHEN m.verdict = %s THEN 1 ELSE 0 END) AS solved,
        MAX(CASE WHEN s.standing_mark_id IS NULL THEN 1 ELSE 0 END) AS waiting, MAX(s.id) AS last
    FROM exercises_submission s
    JOIN exercises_attempt a ON a.id = s.attempt_id
    JOIN exercises_enrollment e ON e.id = a.enrollment_id
    JOIN exercises_item i ON i.id = a.item_id
    LEFT JOIN exercises_mark m ON m.id = s.standing_mark_id
    WHERE e.course_id = %s AND e.role = %s AND s.counted AND i.is_active
    GROUP BY a.enrollment_id, a.item_id
)
SELECT student, COUNT(*), SUM(solved), COALESCE(SUM(score), 0),
    SUM(CASE WHEN tries >= %s AND solved = 0 AND waiting = 0 THEN 1 ELSE 0 END), MAX(last)
FROM best GROUP BY student"""


@dataclass(frozen=True, slots=True)
class StudentFigures:
    """By the id of the enrollment. `stuck` items were tried in vain; `last` grows with every answer that is sent."""

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
        cursor.execute(_STUDENTS, (Verdict.CORRECT.value, course.pk, Role.STUDENT.value, VAIN_TRIES))
        return ClassFigures(tuple(StudentFigures(*row) for row in cursor.fetchall()))
