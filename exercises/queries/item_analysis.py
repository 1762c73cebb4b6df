"""What the marks of a class say about each item, and about the items as a set. The sums are worked out by the database.

Only students are counted, and of each student one try at each item: the first, unless another is asked for. A try that
nobody has marked yet is in no figure.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, Final, Self

from django.db import connection

from exercises.enums import ItemKind, Role, Verdict
from exercises.models import Course, Item, MisconceptionSighting
from grader.marking.item_analysis import (
    FEW,
    Flag,
    ItemFigures,
    ItemSums,
    TotalFigures,
    TotalSums,
    flags,
    item_figures,
    total_figures,
)
from grader.marking.text import Text

VARIANTS_SHOWN = 8
# A learner who was away for longer than this was not at work on the item.
LONGEST_PAUSE_SECONDS = 1_800


class WhichTry(StrEnum):
    """The try of each student that is counted."""

    FIRST = "first"
    BEST = "best"
    LAST = "last"


@dataclass(frozen=True, slots=True)
class VariantFigures:
    """One set of numbers, for those who had it."""

    seed: int
    n: int
    facility: float

    @property
    def is_too_few(self) -> bool:
        """Whether it rests on hardly anybody."""
        return self.n < FEW


@dataclass(frozen=True, slots=True)
class Shown:
    """How many of the wrong tries show a misconception."""

    slug: str
    title: Text
    count: int


@dataclass(frozen=True, slots=True)
class ItemAnalysis:
    """One item. `unexplained` of its `wrong` tries show no misconception; `hinted` students took a hint, by rungs."""

    slug: str
    lesson_slug: str
    title: Text
    kind: ItemKind
    figures: ItemFigures
    wrong: int
    unexplained: int
    shown: tuple[Shown, ...]
    variants: tuple[VariantFigures, ...]
    variants_known: int
    median_seconds: float | None
    timed: int
    hinted: int
    rungs: tuple[int, ...]
    flags: tuple[Flag, ...]


@dataclass(frozen=True, slots=True)
class CourseAnalysis:
    """Every item, and the items as one set."""

    which: WhichTry
    items: tuple[ItemAnalysis, ...]
    total: TotalFigures


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
_TOTALS: Final = """,
totals AS MATERIALIZED (SELECT student, SUM(x) AS total FROM marks GROUP BY student),
centre AS MATERIALIZED (SELECT COUNT(*) AS n, AVG(total) AS mean FROM totals)"""
_ITEMS: Final = """,
pairs AS MATERIALIZED (
    SELECT m.item, m.x, t.total - m.x AS y, t.total - c.mean AS dev
    FROM marks m JOIN totals t ON t.student = m.student CROSS JOIN centre c
),
means AS MATERIALIZED (
    SELECT p.item, COUNT(*) AS n, AVG(p.x) AS mx, AVG(p.y) AS my, SUM(p.x) / MAX(c.n) AS mx0, MAX(c.n) - COUNT(*) AS none
    FROM pairs p CROSS JOIN centre c GROUP BY p.item
),
xs AS MATERIALIZED (SELECT item, x, ROW_NUMBER() OVER (PARTITION BY item ORDER BY x) AS place FROM pairs),
ys AS MATERIALIZED (SELECT item, y, ROW_NUMBER() OVER (PARTITION BY item ORDER BY y) AS place FROM pairs),
most AS (
    SELECT xs.item, SUM((xs.x - means.mx) * (ys.y - means.my)) AS sxy_most
    FROM xs JOIN ys ON ys.item = xs.item AND ys.place = xs.place JOIN means ON means.item = xs.item GROUP BY xs.item
)
SELECT p.item, MAX(means.n), MAX(means.mx), SUM((p.x - means.mx) * (p.x - means.mx)),
    SUM((p.y - means.my) * (p.y - means.my)), SUM((p.x - means.mx) * (p.y - means.my)), MAX(most.sxy_most),
    SUM(p.x * p.dev),
    SUM((p.x - means.mx0) * (p.x - means.mx0)) + MAX(means.none * means.mx0 * means.mx0)
FROM pairs p JOIN means ON means.item = p.item JOIN most ON most.item = p.item GROUP BY p.item"""
_SET: Final = """
SELECT MAX(c.n), MAX(c.mean), SUM((t.total - c.mean) * (t.total - c.mean)),
    SUM((t.total - c.mean) * (t.total - c.mean) * (t.total - c.mean)),
    SUM((t.total - c.mean) * (t.total - c.mean) * (t.total - c.mean) * (t.total - c.mean))
FROM totals t CROSS JOIN centre c"""
_WRONG: Final = """
SELECT m.item, COALESCE(g.slug, ''), COUNT(*), MAX(g.id)
FROM marks m LEFT JOIN exercises_misconceptionsighting g ON g.submission_id = m.submission
WHERE m.verdict <> %s GROUP BY m.item, COALESCE(g.slug, '')"""
_WRONG_TRIES: Final = "SELECT item, COUNT(*) FROM marks WHERE verdict <> %s GROUP BY item"
_VARIANTS: Final = """,
variants AS (SELECT item, seed, COUNT(*) AS n, AVG(x) AS mean FROM marks GROUP BY item, seed),
ranked AS (
    SELECT item, seed, n, mean, ROW_NUMBER() OVER (PARTITION BY item ORDER BY n DESC, seed) AS place,
        COUNT(*) OVER (PARTITION BY item) AS known
    FROM variants
)
SELECT item, seed, n, mean, known FROM ranked WHERE place <= %s ORDER BY item, place"""
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


def course_analysis(course: Course, which: WhichTry = WhichTry.FIRST) -> CourseAnalysis:
    """At most nine queries, however large the class."""
    reading = _Reading.of(course, which)
    rows = {row[0]: row[1:] for row in reading.run(_TOTALS + _ITEMS)}
    [total_row] = reading.run(_TOTALS + _SET)
    total = TotalSums(*(value or 0 for value in total_row))
    items = list(_items(course))
    sums = [_sums(item, rows.get(item.pk)) for item in items]
    parts = _Parts.of(course, reading)
    return CourseAnalysis(
        which=which,
        items=tuple(_item(item, one, parts) for item, one in zip(items, item_figures(sums, total), strict=True)),
        total=total_figures(sums, total),
    )


@dataclass(frozen=True, slots=True)
class _Reading:
    """One way to read the tries of a course: what every query begins with."""

    sql: str
    parameters: tuple[str | int, ...]

    @classmethod
    def of(cls, course: Course, which: WhichTry) -> Self:
        # The first try is the first even while it waits; of the best or the last, one that is marked.
        marked = "" if which is WhichTry.FIRST else "AND m.id IS NOT NULL"
        return cls(_MARKS.format(order=_ORDERS[which], marked=marked), (course.pk, Role.STUDENT.value))

    def run(self, sql: str, *parameters: str | int) -> list[tuple[Any, ...]]:
        return _run(self.sql + sql, *self.parameters, *parameters)


@dataclass(frozen=True, slots=True)
class _Parts:
    """Everything besides the statistics, by the id of the item."""

    wrong: dict[int, int]
    shown: dict[int, list[Shown]]
    unexplained: dict[int, int]
    variants: dict[int, list[tuple[Any, ...]]]
    times: dict[int, tuple[float, int]]
    hints: dict[int, list[int]]
    hinted: dict[int, int]

    @classmethod
    def of(cls, course: Course, reading: _Reading) -> Self:
        slips = reading.run(_WRONG, Verdict.CORRECT.value)
        titles = dict(
            MisconceptionSighting.objects.filter(pk__in=[row[3] for row in slips if row[3]]).values_list("pk", "title")
        )
        shown: dict[int, list[Shown]] = {}
        for item, slug, count, newest in sorted(slips, key=lambda row: (-row[2], row[1])):
            if slug:
                shown.setdefault(item, []).append(Shown(slug, Text.from_json(titles[newest]), count))
        variants: dict[int, list[tuple[Any, ...]]] = {}
        for item, *rest in reading.run(_VARIANTS, VARIANTS_SHOWN):
            variants.setdefault(item, []).append(tuple(rest))
        rungs: dict[int, list[int]] = {}
        for item, _rung, count in _run(_HINTS, course.pk, Role.STUDENT.value):
            rungs.setdefault(item, []).append(count)
        return cls(
            wrong=dict(reading.run(_WRONG_TRIES, Verdict.CORRECT.value)),
            shown=shown,
            unexplained={item: count for item, slug, count, _ in slips if not slug},
            variants=variants,
            times={item: (median, count) for item, median, count in _times(course)},
            hints=rungs,
            hinted={item: max(counts) for item, counts in rungs.items()},
        )


def _run(sql: str, *parameters: str | int) -> list[tuple[Any, ...]]:
    with connection.cursor() as cursor:
        cursor.execute(sql, parameters)
        return list(cursor.fetchall())


def _times(course: Course) -> list[tuple[Any, ...]]:
    begun = "CASE WHEN before > opened THEN before ELSE opened END"
    if connection.vendor == "sqlite":
        seconds = f"(julianday(at) - julianday({begun})) * 86400.0"
    else:
        seconds = f"CAST(EXTRACT(EPOCH FROM at - ({begun})) AS double precision)"
    return _run(_TIMES.format(seconds=seconds), course.pk, Role.STUDENT.value, LONGEST_PAUSE_SECONDS)


def _items(course: Course) -> Iterable[Item]:
    items = Item.objects.filter(curriculum=course.curriculum_id, is_active=True)
    return items.select_related("lesson").order_by("lesson__position", "position")


def _sums(item: Item, row: Sequence[Any] | None) -> ItemSums:
    return ItemSums(float(item.max_score), *(row or (0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0)))


def _item(item: Item, figures: ItemFigures, parts: _Parts) -> ItemAnalysis:
    rows = parts.variants.get(item.pk, [])
    top = float(item.max_score)
    variants = tuple(VariantFigures(seed, n, mean / top) for seed, n, mean, _ in rows)
    median, timed = parts.times.get(item.pk, (None, 0))
    wrong, unexplained = parts.wrong.get(item.pk, 0), parts.unexplained.get(item.pk, 0)
    is_read_by_people = item.kind == ItemKind.FREE_TEXT
    enough = [each.facility for each in variants if each.n >= FEW]
    return ItemAnalysis(
        slug=item.slug,
        lesson_slug=item.lesson.slug,
        title=Text.from_json(item.title),
        kind=ItemKind(item.kind),
        figures=figures,
        wrong=wrong,
        unexplained=unexplained,
        shown=tuple(parts.shown.get(item.pk, ())),
        variants=variants,
        variants_known=rows[0][3] if rows else 0,
        median_seconds=median,
        timed=timed,
        hinted=parts.hinted.get(item.pk, 0),
        rungs=tuple(parts.hints.get(item.pk, ())),
        flags=tuple(flags(figures, wrong=wrong, unexplained=0 if is_read_by_people else unexplained, variants=enough)),
    )
