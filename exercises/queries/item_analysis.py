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


def course_analysis(course: Course, which: WhichTry = WhichTry.FIRST) -> CourseAnalysis:
    """At most five queries, however large the class."""
    parts = _Parts.of(course, which)
    items = list(_items(course))
    sums = [_sums(item, parts.sums.get(item.pk)) for item in items]
    return CourseAnalysis(
        which=which,
        items=tuple(_item(item, one, parts) for item, one in zip(items, item_figures(sums, parts.total), strict=True)),
        total=total_figures(sums, parts.total),
    )


@dataclass(frozen=True, slots=True)
class _Parts:
    """What the database says of the tries; all but `total` by the id of the item."""

    sums: dict[int, list[Any]]
    total: TotalSums
    wrong: dict[int, int]
    shown: dict[int, list[Shown]]
    unexplained: dict[int, int]
    variants: dict[int, list[tuple[Any, ...]]]
    times: dict[int, tuple[float, int]]
    hints: dict[int, list[int]]

    @classmethod
    def of(cls, course: Course, which: WhichTry) -> Self:
        told: dict[str, list[tuple[Any, ...]]] = {name: [] for name in ("item", "set", "wrong", "shown", "variant")}
        for part, *row in _figures(course, which):
            told[part].append(tuple(row))
        named = [newest for _, slug, newest, *_ in told["shown"] if slug]
        titles = dict(MisconceptionSighting.objects.filter(pk__in=named).values_list("pk", "title"))
        shown: dict[int, list[Shown]] = {}
        for item, slug, newest, count, *_ in sorted(told["shown"], key=lambda row: (-row[3], row[1])):
            if slug:
                shown.setdefault(item, []).append(Shown(slug, Text.from_json(titles[newest]), count))
        variants: dict[int, list[tuple[Any, ...]]] = {}
        for item, _, seed, n, mean, known, *_ in sorted(told["variant"], key=lambda row: (-row[3], row[2])):
            variants.setdefault(item, []).append((seed, n, mean, known))
        rungs: dict[int, list[int]] = {}
        for item, _rung, count in _run(_HINTS, course.pk, Role.STUDENT.value):
            rungs.setdefault(item, []).append(count)
        [(_, _, _, *total)] = told["set"]
        return cls(
            sums={item: sums for item, _, _, *sums in told["item"]},
            total=TotalSums(*(value or 0 for value in total[:5])),
            wrong={item: count for item, _, _, count, *_ in told["wrong"]},
            shown=shown,
            unexplained={item: count for item, slug, _, count, *_ in told["shown"] if not slug},
            variants=variants,
            times={item: (median, count) for item, median, count in _times(course)},
            hints=rungs,
        )


def _figures(course: Course, which: WhichTry) -> list[tuple[Any, ...]]:
    # The first try is the first even while it waits; of the best or the last, one that is marked.
    marked = "" if which is WhichTry.FIRST else "AND m.id IS NOT NULL"
    picked = _MARKS.format(order=_ORDERS[which], marked=marked)
    right = Verdict.CORRECT.value
    return _run(picked + _FIGURES, course.pk, Role.STUDENT.value, right, right, VARIANTS_SHOWN)


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
    rungs = tuple(parts.hints.get(item.pk, ()))
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
        variants_known=int(rows[0][3]) if rows else 0,
        median_seconds=median,
        timed=timed,
        hinted=max(rungs, default=0),
        rungs=rungs,
        flags=tuple(flags(figures, wrong=wrong, unexplained=0 if is_read_by_people else unexplained, variants=enough)),
    )
