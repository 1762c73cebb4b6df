"""Which misconceptions the standing marks of a course name: how often, by whom, in which items, and what cures them.

It makes no difference whether marking found a mistake in numbers or in code, or whether the instructor tagged a text.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import chain
from typing import Any, Final

from django.db import connection

from exercises.enums import Role
from exercises.models import Course, Curriculum, Item, MisconceptionSighting
from exercises.queries.definitions import item_content
from grader.marking.item_analysis import FEW
from grader.marking.text import Text

NAMES_SHOWN = 12


@dataclass(frozen=True, slots=True)
class Person:
    """A student by the id of the enrollment and the name that is shown."""

    member: int
    name: str


@dataclass(frozen=True, slots=True)
class Place:
    """An item in which a misconception was seen, and in how many answers."""

    item_slug: str
    title: Text
    kind: str
    count: int


@dataclass(frozen=True, slots=True)
class Cure:
    """Of `students` who showed it and sent another answer to the same item, `cured` did not show it in that answer.

    `rung` is the hint that they took in between: 0 for those who took none, -1 for all of them together. Each student is
    counted once, by the first time.
    """

    rung: int
    students: int
    cured: int

    @property
    def rate(self) -> float:
        """The share that was cured."""
        return self.cured / self.students

    @property
    def is_too_few(self) -> bool:
        """Whether the share would rest on hardly anybody."""
        return self.students < FEW


@dataclass(frozen=True, slots=True)
class SeenMisconception:
    """One misconception in one course. `people` are those who showed it last, of all the `students`."""

    slug: str
    title: Text
    count: int  # answers that show it
    students: int  # students who sent them
    people: tuple[Person, ...]
    places: tuple[Place, ...]
    overall: Cure | None
    without_hint: Cure | None
    by_hint: tuple[Cure, ...]

    @property
    def people_more(self) -> int:
        """Students who are not named."""
        return self.students - len(self.people)


@dataclass(frozen=True, slots=True)
class Board:
    """Those that most students show come first."""

    seen: tuple[SeenMisconception, ...]


# Every sighting in an answer that counts, of a student of the course.
_SEEN: Final = """
WITH seen AS (
    SELECT g.id, g.slug, a.enrollment_id AS student, a.item_id AS item
    FROM exercises_misconceptionsighting g
    JOIN exercises_submission s ON s.id = g.submission_id
    JOIN exercises_attempt a ON a.id = s.attempt_id
    JOIN exercises_enrollment e ON e.id = a.enrollment_id
    WHERE e.course_id = %s AND e.role = %s AND s.counted
)"""
_COUNTS: Final = """
SELECT slug, COUNT(*), COUNT(DISTINCT student), MAX(id) FROM seen GROUP BY slug ORDER BY 3 DESC, 2 DESC, 1"""
_PLACES: Final = """
SELECT seen.slug, i.slug, i.kind, COUNT(*) FROM seen JOIN exercises_item i ON i.id = seen.item
GROUP BY seen.slug, i.id, i.slug, i.kind ORDER BY 4 DESC, 2"""
_PEOPLE: Final = """,
latest AS (SELECT slug, student, MAX(id) AS last FROM seen GROUP BY slug, student),
ranked AS (SELECT slug, student, ROW_NUMBER() OVER (PARTITION BY slug ORDER BY last DESC) AS place FROM latest)
SELECT ranked.slug, e.id, CASE WHEN u.display_name <> '' THEN u.display_name ELSE u.username END FROM ranked
JOIN exercises_enrollment e ON e.id = ranked.student JOIN exercises_user u ON u.id = e.user_id
WHERE ranked.place <= %s ORDER BY ranked.slug, ranked.place"""
# What came after each sighting: the student's next answer to the item, and the hints taken before it.
_CURES: Final = """
WITH sent AS (
    SELECT s.id, s.created_at AS at, a.enrollment_id AS student, a.item_id AS item,
        LEAD(s.id) OVER (PARTITION BY a.enrollment_id, a.item_id ORDER BY s.created_at, s.id) AS next,
        LEAD(s.created_at) OVER (PARTITION BY a.enrollment_id, a.item_id ORDER BY s.created_at, s.id) AS next_at
    FROM exercises_submission s
    JOIN exercises_attempt a ON a.id = s.attempt_id
    JOIN exercises_enrollment e ON e.id = a.enrollment_id
    WHERE e.course_id = %s AND e.role = %s AND s.counted AND s.standing_mark_id IS NOT NULL
),
shown AS MATERIALIZED (
    SELECT g.slug, sent.student, sent.item, sent.at, sent.next_at, sent.id,
        CASE WHEN again.id IS NULL THEN 1 ELSE 0 END AS cured
    FROM sent
    JOIN exercises_misconceptionsighting g ON g.submission_id = sent.id
    LEFT JOIN exercises_misconceptionsighting again ON again.submission_id = sent.next AND again.slug = g.slug
    WHERE sent.next IS NOT NULL
),
taken AS MATERIALIZED (
    SELECT a.enrollment_id AS student, a.item_id AS item, h.rung, h.created_at AS at
    FROM exercises_hinttaken h
    JOIN exercises_attempt a ON a.id = h.attempt_id
    JOIN exercises_enrollment e ON e.id = a.enrollment_id
    WHERE e.course_id = %s AND e.role = %s
),
ways AS (
    SELECT shown.slug, shown.student, shown.at, shown.id, shown.cured, COALESCE(taken.rung, 0) AS rung
    FROM shown LEFT JOIN taken ON taken.student = shown.student AND taken.item = shown.item
        AND taken.at > shown.at AND taken.at <= shown.next_at
    UNION ALL
    SELECT slug, student, at, id, cured, -1 FROM shown
),
firsts AS (
    SELECT slug, rung, cured, ROW_NUMBER() OVER (PARTITION BY slug, rung, student ORDER BY at, id) AS place FROM ways
)
SELECT slug, rung, COUNT(*), SUM(cured) FROM firsts WHERE place = 1 GROUP BY slug, rung ORDER BY slug, rung"""


def misconception_board(course: Course) -> Board:
    """At most six queries, however large the class."""
    ours = (course.pk, Role.STUDENT.value)
    counts = _run(_SEEN + _COUNTS, *ours)
    titles = dict(MisconceptionSighting.objects.filter(pk__in=[row[3] for row in counts]).values_list("pk", "title"))
    places = _grouped(_run(_SEEN + _PLACES, *ours))
    item_titles = dict(Item.objects.filter(curriculum=course.curriculum_id).values_list("slug", "title"))
    people = _grouped(_run(_SEEN + _PEOPLE, *ours, NAMES_SHOWN))
    cures = _grouped(_run(_CURES, *ours, *ours))
    return Board(
        tuple(
            SeenMisconception(
                slug=slug,
                title=Text.from_json(titles[newest]),
                count=count,
                students=students,
                people=tuple(Person(*row) for row in people.get(slug, [])),
                places=tuple(
                    Place(item, Text.from_json(item_titles[item]), kind, times)
                    for item, kind, times in places.get(slug, [])
                ),
                **_cures([Cure(*row) for row in cures.get(slug, [])]),
            )
            for slug, count, students, newest in counts
        )
    )


def _cures(found: list[Cure]) -> dict[str, Any]:
    by_rung = {each.rung: each for each in found}
    return {
        "overall": by_rung.get(-1),
        "without_hint": by_rung.get(0),
        "by_hint": tuple(each for each in found if each.rung > 0),
    }


def _grouped(rows: list[tuple[Any, ...]]) -> dict[str, list[tuple[Any, ...]]]:
    """The rows by what stands first in each."""
    found: dict[str, list[tuple[Any, ...]]] = {}
    for first, *rest in rows:
        found.setdefault(first, []).append(tuple(rest))
    return found


def _run(sql: str, *parameters: str | int) -> list[tuple[Any, ...]]:
    with connection.cursor() as cursor:
        cursor.execute(sql, parameters)
        return list(cursor.fetchall())


def misconceptions_known(curriculum: Curriculum) -> dict[str, Text]:
    """Slug -> title of all that the items of a curriculum can name: what an instructor may tag an answer with."""
    items = Item.objects.filter(curriculum=curriculum, is_active=True).select_related("current_version")
    found = [item_content(item.version).misconceptions.values() for item in items]
    return {each.slug: each.title for each in chain.from_iterable(found)}
