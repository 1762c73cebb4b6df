"""What the database sums up of the tries at every item of a course: one statement for the marks, one each for time and hints."""

from __future__ import annotations

from enum import StrEnum
from typing import Any, Final

from django.db import connection

from exercises.enums import Role, Verdict
from exercises.models import Course

VARIANTS_SHOWN = 8
# A learner who was away for longer than this was not at work on the item.
LONGEST_PAUSE_SECONDS = 1_800


class WhichTry(StrEnum):
    """The try of each student that is counted."""

    FIRST = "first"
    BEST = "best"
    LAST = "last"


# Which try comes first in the order of each reading. A tie is broken by the order in which they were sent.
_ORDERS: Final = {
    WhichTry.FIRST: "s.created_at, s.id",
    WhichTry.BEST: "m.score DESC, s.created_at, s.id",
    WhichTry.LAST: "s.created_at DESC, s.id DESC",
}
# One row for each student and item: the counted try, its mark x and the student's total.
_MARKS: Final = """
WITH tries AS (
    SELECT a.enrollment_id AS student, a.item_id AS item, a.seed AS seed, s.id AS submission, m.verdict AS verdict,
        CAST(m.score AS double precision) AS x,
        ROW_NUMBER() OVER (PARTITION BY a.enrollment_id, a.item_id ORDER BY {order}) AS place
    FROM exercises_submission s
    JOIN exercises_attempt a ON a.id = s.attempt_id
    JOIN exercises_enrollment e ON e.id = a.enrollment_id
    JOIN exercises_item i ON i.id = a.item_id
    LEFT JOIN exercises_mark m ON m.id = s.standing_mark_id
    WHERE e.course_id = %s AND e.role = %s AND s.counted AND i.is_active {marked}
),
marks AS MATERIALIZED (
    SELECT student, item, seed, submission, verdict, x FROM tries WHERE place = 1 AND x IS NOT NULL
)"""
# Everything that is said of the counted tries, each part under its name, in one statement: they are picked out once.
_FIGURES: Final = """,
totals AS MATERIALIZED (SELECT student, SUM(x) AS total FROM marks GROUP BY student),
centre AS MATERIALIZED (SELECT COUNT(*) AS n, AVG(total) AS mean FROM totals),
pairs AS MATERIALIZED (
    SELECT m.item, m.x, m.total - m.x AS y, m.total - c.mean AS dev
    FROM (SELECT item, x, SUM(x) OVER (PARTITION BY student) AS total FROM marks) m CROSS JOIN centre c
),
means AS MATERIALIZED (
    SELECT p.item, COUNT(*) AS n, AVG(p.x) AS mx, AVG(p.y) AS my, SUM(p.x) / MAX(c.n) AS mx0, MAX(c.n) - COUNT(*) AS none
    FROM pairs p CROSS JOIN centre c GROUP BY p.item
),
xs AS MATERIALIZED (SELECT item, x, ROW_NUMBER() OVER (PARTITION BY item ORDER BY x) AS place FROM pairs),
ys AS MATERIALIZED (SELECT item, y, ROW_NUMBER() OVER (PARTITION BY item ORDER BY y) AS place FROM pairs),
most AS MATERIALIZED (
    SELECT xs.item, SUM((xs.x - means.mx) * (ys.y - means.my)) AS sxy_most
    FROM xs JOIN ys ON ys.item = xs.item AND ys.place = xs.place JOIN means ON means.item = xs.item GROUP BY xs.item
),
variants AS (SELECT item, seed, COUNT(*) AS n, AVG(x) AS mean FROM marks GROUP BY item, seed),
ranked AS (
    SELECT item, seed, n, mean, ROW_NUMBER() OVER (PARTITION BY item ORDER BY n DESC, seed) AS place,
        COUNT(*) OVER (PARTITION BY item) AS known
    FROM variants
)
SELECT 'item' AS part, p.item AS item, '' AS slug, 0 AS reference, MAX(means.n) AS n, MAX(means.mx) AS a,
    SUM((p.x - means.mx) * (p.x - means.mx)) AS b, SUM((p.y - means.my) * (p.y - means.my)) AS c,
    SUM((p.x - means.mx) * (p.y - means.my)) AS d, MAX(most.sxy_most) AS e, SUM(p.x * p.dev) AS f,
    SUM((p.x - means.mx0) * (p.x - means.mx0)) + MAX(means.none * means.mx0 * means.mx0) AS g
FROM pairs p JOIN means ON means.item = p.item JOIN most ON most.item = p.item GROUP BY p.item
UNION ALL
SELECT 'set', 0, '', 0, MAX(c.n), MAX(c.mean), SUM((t.total - c.mean) * (t.total - c.mean)),
    SUM((t.total - c.mean) * (t.total - c.mean) * (t.total - c.mean)),
    SUM((t.total - c.mean) * (t.total - c.mean) * (t.total - c.mean) * (t.total - c.mean)), 0, 0, 0
FROM totals t CROSS JOIN centre c
UNION ALL
SELECT 'wrong', item, '', 0, COUNT(*), 0, 0, 0, 0, 0, 0, 0 FROM marks WHERE verdict <> %s GROUP BY item
UNION ALL
SELECT 'shown', m.item, COALESCE(g.slug, ''), COALESCE(MAX(g.id), 0), COUNT(*), 0, 0, 0, 0, 0, 0, 0
FROM marks m LEFT JOIN exercises_misconceptionsighting g ON g.submission_id = m.submission
WHERE m.verdict <> %s GROUP BY m.item, COALESCE(g.slug, '')
UNION ALL
SELECT 'variant', item, '', seed, n, mean, known, 0, 0, 0, 0, 0 FROM ranked WHERE place <= %s"""
# What a student did before an answer is told by what was sent before it, or by the opening of the attempt.
_TIMES: Final = """
WITH sent AS (
    SELECT a.enrollment_id AS student, a.item_id AS item, s.created_at AS at, a.created_at AS opened,
        LAG(s.created_at) OVER (PARTITION BY a.enrollment_id ORDER BY s.created_at, s.id) AS before
    FROM exercises_submission s
    JOIN exercises_attempt a ON a.id = s.attempt_id
    JOIN exercises_enrollment e ON e.id = a.enrollment_id
    JOIN exercises_item i ON i.id = a.item_id
    WHERE e.course_id = %s AND e.role = %s AND s.counted AND i.is_active
),
spent AS (
    SELECT student, item, {seconds} AS seconds FROM sent
),
work AS (
    SELECT student, item, SUM(seconds) AS seconds FROM spent WHERE seconds BETWEEN 0 AND %s GROUP BY student, item
),
ranked AS (
    SELECT item, seconds, ROW_NUMBER() OVER (PARTITION BY item ORDER BY seconds) AS place,
        COUNT(*) OVER (PARTITION BY item) AS n
    FROM work
)
SELECT item, AVG(seconds), MAX(n) FROM ranked WHERE 2 * place BETWEEN n AND n + 2 GROUP BY item"""
_HINTS: Final = """
SELECT a.item_id, h.rung, COUNT(DISTINCT a.enrollment_id)
FROM exercises_hinttaken h
JOIN exercises_attempt a ON a.id = h.attempt_id
JOIN exercises_enrollment e ON e.id = a.enrollment_id
WHERE e.course_id = %s AND e.role = %s GROUP BY a.item_id, h.rung ORDER BY a.item_id, h.rung"""


def figures_of_tries(course: Course, which: WhichTry) -> list[tuple[Any, ...]]:
    """Rows of (part, item id, slug, reference, n, seven numbers): what a part holds stands in its SELECT."""
    # The first try is the first even while it waits; of the best or the last, one that is marked.
    marked = "" if which is WhichTry.FIRST else "AND m.id IS NOT NULL"
    picked = _MARKS.format(order=_ORDERS[which], marked=marked)
    right = Verdict.CORRECT.value
    return _run(picked + _FIGURES, course.pk, Role.STUDENT.value, right, right, VARIANTS_SHOWN)


def times_on_task(course: Course) -> list[tuple[Any, ...]]:
    """Rows of (item id, median seconds at work, how many students were timed)."""
    begun = "CASE WHEN before > opened THEN before ELSE opened END"
    if connection.vendor == "sqlite":
        seconds = f"(julianday(at) - julianday({begun})) * 86400.0"
    else:
        seconds = f"CAST(EXTRACT(EPOCH FROM at - ({begun})) AS double precision)"
    return _run(_TIMES.format(seconds=seconds), course.pk, Role.STUDENT.value, LONGEST_PAUSE_SECONDS)


def hints_taken(course: Course) -> list[tuple[Any, ...]]:
    """Rows of (item id, rung, how many students took it), the lower rungs first."""
    return _run(_HINTS, course.pk, Role.STUDENT.value)


def _run(sql: str, *parameters: str | int) -> list[tuple[Any, ...]]:
    with connection.cursor() as cursor:
        cursor.execute(sql, parameters)
        return list(cursor.fetchall())
