"""What each student has sent to each item of a course: the one table that the figures of a class are summed up from."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Any, Final

from django.db import connection

from exercises.enums import GradingProgress, ItemKind, Role, Verdict
from exercises.models import Course

# Who has tried so often in vain, and lately, is stuck; nobody who waits for a mark is, nor whose text was read.
VAIN_TRIES: Final = 3
LATELY: Final = timedelta(days=14)

# Each part once, under its name, for all that is said of it. Its parameters are those of `work_parameters`.
WORK: Final = """work AS MATERIALIZED (
    SELECT a.enrollment_id AS student, a.item_id AS item, COUNT(*) AS tries, MAX(s.created_at) AS last_at,
        COUNT(m.id) AS answers, SUM(CASE WHEN m.verdict = %s THEN 1 ELSE 0 END) AS solved,
        SUM(CASE WHEN s.grading_progress = %s THEN 1 ELSE 0 END) AS by_hand,
        SUM(CASE WHEN s.grading_progress = %s THEN 1 ELSE 0 END) AS running,
        SUM(CASE WHEN a.shown_at IS NULL THEN 0 ELSE 1 END) AS shown, MAX(i.kind) AS kind,
        MAX(CAST(m.score AS double precision)) AS score, MAX(s.id) AS last
    FROM exercises_submission s
    JOIN exercises_attempt a ON a.id = s.attempt_id
    JOIN exercises_enrollment e ON e.id = a.enrollment_id
    JOIN exercises_item i ON i.id = a.item_id
    LEFT JOIN exercises_mark m ON m.id = s.standing_mark_id
    WHERE e.course_id = %s AND e.role = %s AND s.counted AND i.is_active
    GROUP BY a.enrollment_id, a.item_id
)"""
# Whether a row of it is about somebody who is stuck. Its parameters are those of `stuck_parameters`.
STUCK: Final = "kind <> %s AND tries >= %s AND solved = 0 AND answers = tries AND shown = 0 AND last_at >= %s"


def work_parameters(course: Course) -> tuple[str | int, ...]:
    """Of the students of a course alone."""
    progress = (GradingProgress.PENDING_MANUAL.value, GradingProgress.PENDING.value)
    return (Verdict.CORRECT.value, *progress, course.pk, Role.STUDENT.value)


def stuck_parameters(now: datetime) -> tuple[Any, ...]:
    """As of now."""
    return (ItemKind.FREE_TEXT.value, VAIN_TRIES, moment(now - LATELY))


def moment(value: datetime) -> Any:  # noqa: ANN401 -- what the driver of the database takes
    """A moment as the database compares it."""
    return connection.ops.adapt_datetimefield_value(value)
