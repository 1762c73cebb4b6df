"""What an instructor wants to know first: who is stuck and on what, what is hard, what waits, and whether anybody works."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta
from functools import reduce
from operator import or_
from typing import Final

from django.db import connection
from django.db.models import Case, Count, IntegerField, Max, Q, QuerySet, Value, When
from django.utils import timezone

from exercises.enums import Role
from exercises.models import Course, Enrollment, Item, MisconceptionSighting, SecondLook, Submission
from exercises.queries.course_time import course_zone
from exercises.queries.work_done import STUCK, WORK, moment, stuck_parameters, work_parameters
from grader.marking.text import Text

ACTIVE = timedelta(days=7)
DAYS_SHOWN = 28
STUCK_SHOWN = 20
HARD_SHOWN = 10


@dataclass(frozen=True, slots=True)
class Stuck:
    """A student who has tried an item in vain, and the misconception that the latest of these tries shows.

    `member` is the id of the enrollment.
    """

    member: int
    name: str
    item_slug: str
    item_title: Text
    tries: int
    last_at: datetime
    misconception: Text | None


@dataclass(frozen=True, slots=True)
class Hard:
    """An item: how many wrong answers, of how many; of `students` who tried it `unsolved` have it not right yet."""

    item_slug: str
    title: Text
    wrong: int
    answers: int
    students: int
    unsolved: int


@dataclass(frozen=True, slots=True)
class Day:
    """What was sent on one day of the course's time zone."""

    on: date
    answers: int
    students: int


@dataclass(frozen=True, slots=True)
class Overview:
    """`started` students have sent something that counts, `active` did in the last week. `stuck` are the worst of `stuck_count`."""

    students: int
    started: int
    active: int
    waiting: int
    looks_waiting: int
    programs_waiting: int
    stuck_count: int
    stuck: tuple[Stuck, ...]
    hard: tuple[Hard, ...]
    days: tuple[Day, ...]

    @property
    def stuck_more(self) -> int:
        """Those who are stuck and not listed."""
        return self.stuck_count - len(self.stuck)


_OVERVIEW: Final = f"""
WITH {WORK},
stuck AS (
    SELECT student, item, tries, COUNT(*) OVER () AS count, last_at FROM work
    WHERE {STUCK}
),
hard AS (
    SELECT item, SUM(answers - solved) AS wrong, SUM(answers) AS answers, COUNT(*) AS students,
        SUM(CASE WHEN solved = 0 THEN 1 ELSE 0 END) AS unsolved
    FROM work GROUP BY item
)
SELECT 'class', COUNT(DISTINCT student), COUNT(DISTINCT CASE WHEN last_at >= %s THEN student END),
    COALESCE(SUM(by_hand), 0), COALESCE(SUM(running), 0), 0
FROM work
UNION ALL
SELECT 'stuck', worst.* FROM (
    SELECT student, item, tries, count, 0 FROM stuck ORDER BY tries DESC, last_at DESC, student, item LIMIT %s
) worst
UNION ALL
SELECT 'hard', worst.* FROM (
    SELECT hard.* FROM hard JOIN exercises_item i ON i.id = hard.item WHERE wrong > 0 ORDER BY wrong DESC, i.slug LIMIT %s
) worst"""  # noqa: S608 -- conditions of our own


def overview(course: Course) -> Overview:
    """At most nine queries, however large the class."""
    now = timezone.now()
    work = _work(course, now)
    [(started, active, waiting, programs_waiting, _)] = work["class"]
    counted = _counted(course)
    return Overview(
        students=Enrollment.objects.filter(course=course, role=Role.STUDENT).count(),
        started=started,
        active=active,
        waiting=waiting,
        looks_waiting=SecondLook.objects.filter(mark__in=counted.values("standing_mark")).count(),
        programs_waiting=programs_waiting,
        stuck_count=max((count for *_, count, _ in work["stuck"]), default=0),
        stuck=_stuck(work["stuck"]),
        hard=_hard(work["hard"]),
        days=_days(course, counted, now),
    )


def _work(course: Course, now: datetime) -> Mapping[str, Sequence[tuple[int, ...]]]:
    """Of those who are stuck, tries count most, then who tried last."""
    found: dict[str, list[tuple[int, ...]]] = {"class": [], "stuck": [], "hard": []}
    asked = (*work_parameters(course), *stuck_parameters(now), moment(now - ACTIVE), STUCK_SHOWN, HARD_SHOWN)
    with connection.cursor() as cursor:
        cursor.execute(_OVERVIEW, asked)
        for part, *numbers in cursor.fetchall():
            found[part].append(tuple(map(int, numbers)))
    return found


def _counted(course: Course) -> QuerySet[Submission]:
    return Submission.objects.filter(
        counted=True,
        attempt__enrollment__course=course,
        attempt__enrollment__role=Role.STUDENT,
        attempt__item__is_active=True,
    ).order_by()


def _stuck(rows: Sequence[tuple[int, ...]]) -> tuple[Stuck, ...]:
    """With their names, the moment of the latest try, and the latest that any of them shows: that is what to talk about."""
    pairs = [(student, item) for student, item, *_ in rows]
    people = Enrollment.objects.select_related("user").in_bulk([student for student, _ in pairs])
    items = Item.objects.in_bulk([item for _, item in pairs])
    last_at, shown = _latest(pairs), _latest_shown(pairs)
    return tuple(
        Stuck(
            member=student,
            name=str(people[student].user),
            item_slug=items[item].slug,
            item_title=Text.from_json(items[item].title),
            tries=tries,
            last_at=last_at[student, item],
            misconception=shown.get((student, item)),
        )
        for student, item, tries, *_ in rows
    )


def _latest(pairs: Sequence[tuple[int, int]]) -> Mapping[tuple[int, int], datetime]:
    tries = Submission.objects.filter(_of(pairs, "attempt"), counted=True).order_by()
    found = tries.values("attempt__enrollment_id", "attempt__item_id").annotate(last_at=Max("created_at"))
    return {(row["attempt__enrollment_id"], row["attempt__item_id"]): row["last_at"] for row in found}


def _latest_shown(pairs: Sequence[tuple[int, int]]) -> Mapping[tuple[int, int], Text]:
    sightings = MisconceptionSighting.objects.filter(_of(pairs, "submission__attempt"), submission__counted=True)
    found = sightings.order_by("submission__created_at", "pk").values_list(
        "submission__attempt__enrollment_id", "submission__attempt__item_id", "title"
    )
    return {(student, item): Text.from_json(title) for student, item, title in found}


def _of(pairs: Sequence[tuple[int, int]], attempt: str) -> Q:
    """A condition that holds for what these students did with these items."""
    conditions = (Q(**{f"{attempt}__enrollment": student, f"{attempt}__item": item}) for student, item in pairs)
    return reduce(or_, conditions, Q(pk__in=[]))


def _hard(rows: Sequence[tuple[int, ...]]) -> tuple[Hard, ...]:
    items = Item.objects.in_bulk([item for item, *_ in rows])
    return tuple(
        Hard(items[item].slug, Text.from_json(items[item].title), wrong, answers, students, unsolved)
        for item, wrong, answers, students, unsolved in rows
    )


def _days(course: Course, counted: QuerySet[Submission], now: datetime) -> tuple[Day, ...]:
    """The last four weeks, with the days on which nobody did anything."""
    zone = course_zone(course)
    today = timezone.localtime(now, zone).date()
    days = [today - timedelta(days=back) for back in reversed(range(DAYS_SHOWN))]
    begins = [datetime.combine(day, time.min, zone).astimezone(UTC) for day in days]
    # The database compares with the moments at which days begin: a time zone's calendar is dear to ask for every row.
    place = Case(
        *(When(created_at__gte=begin, then=Value(place)) for place, begin in reversed([*enumerate(begins)])),
        output_field=IntegerField(),
    )
    rows = (
        counted.filter(created_at__gte=begins[0])
        .values(place=place)
        .annotate(answers=Count("id"), students=Count("attempt__enrollment", distinct=True))
    )
    found = {row["place"]: row for row in rows}
    return tuple(
        Day(day, found[place]["answers"], found[place]["students"]) if place in found else Day(day, 0, 0)
        for place, day in enumerate(days)
    )
