"""What an instructor wants to know first: who is stuck and on what, what is hard, what waits, and whether anybody works."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from typing import Any

from django.db.models import Count, Max, Q, QuerySet
from django.db.models.functions import TruncDate
from django.utils import timezone

from exercises.enums import GradingProgress, ItemKind, Role, Verdict
from exercises.models import Course, Enrollment, Item, MisconceptionSighting, SecondLook, Submission
from exercises.queries.course_time import course_zone
from grader.marking.text import Text

# Who has tried so often in vain, and lately, is stuck.
VAIN_TRIES = 3
LATELY = timedelta(days=14)
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


def overview(course: Course) -> Overview:
    """At most nine queries, however large the class."""
    now = timezone.now()
    counted = _counted(course)
    people = Enrollment.objects.filter(course=course, role=Role.STUDENT).count()
    working = counted.aggregate(
        started=Count("attempt__enrollment", distinct=True),
        active=Count("attempt__enrollment", distinct=True, filter=Q(created_at__gte=now - ACTIVE)),
        waiting=Count("id", filter=Q(grading_progress=GradingProgress.PENDING_MANUAL)),
        programs=Count("id", filter=Q(grading_progress=GradingProgress.PENDING)),
    )
    looks = SecondLook.objects.filter(mark__in=counted.values("standing_mark")).count()
    stuck = _stuck(counted, now)
    return Overview(
        students=people,
        started=working["started"],
        active=working["active"],
        waiting=working["waiting"],
        looks_waiting=looks,
        programs_waiting=working["programs"],
        stuck_count=len(stuck),
        stuck=_named(stuck[:STUCK_SHOWN]),
        hard=_hard(counted),
        days=_days(course, counted, now),
    )


def _counted(course: Course) -> QuerySet[Submission]:
    return Submission.objects.filter(
        counted=True,
        attempt__enrollment__course=course,
        attempt__enrollment__role=Role.STUDENT,
        attempt__item__is_active=True,
    ).order_by()


def _stuck(counted: QuerySet[Submission], now: datetime) -> Sequence[Mapping[str, Any]]:
    """Those who go on without a right answer, most tries first; nobody who waits for a mark, and no text that was read."""
    groups = counted.exclude(kind=ItemKind.FREE_TEXT).values("attempt__enrollment_id", "attempt__item_id")
    vain = groups.annotate(
        tries=Count("id"),
        right=Count("id", filter=Q(standing_mark__verdict=Verdict.CORRECT)),
        waiting=Count("id", filter=Q(standing_mark=None)),
        shown=Count("id", filter=Q(attempt__shown_at__isnull=False)),
        last_at=Max("created_at"),
    ).filter(tries__gte=VAIN_TRIES, right=0, waiting=0, shown=0, last_at__gte=now - LATELY)
    return list(vain.order_by("-tries", "-last_at"))


def _named(stuck: Sequence[Mapping[str, Any]]) -> tuple[Stuck, ...]:
    people = Enrollment.objects.select_related("user").in_bulk([row["attempt__enrollment_id"] for row in stuck])
    items = Item.objects.in_bulk([row["attempt__item_id"] for row in stuck])
    shown = _latest_shown(stuck)
    return tuple(
        Stuck(
            member=person.pk,
            name=str(person.user),
            item_slug=item.slug,
            item_title=Text.from_json(item.title),
            tries=row["tries"],
            last_at=row["last_at"],
            misconception=shown.get((person.pk, item.pk)),
        )
        for row in stuck
        for person, item in [(people[row["attempt__enrollment_id"]], items[row["attempt__item_id"]])]
    )


def _latest_shown(stuck: Sequence[Mapping[str, Any]]) -> Mapping[tuple[int, int], Text]:
    """Of each pair, what the latest try shows: that is what to talk about."""
    of_them = Q(pk__in=[])
    for row in stuck:
        pair = {"enrollment": row["attempt__enrollment_id"], "item": row["attempt__item_id"]}
        of_them |= Q(submission__attempt__enrollment=pair["enrollment"], submission__attempt__item=pair["item"])
    sightings = MisconceptionSighting.objects.filter(of_them, submission__counted=True)
    found = sightings.order_by("submission__created_at", "pk").values_list(
        "submission__attempt__enrollment_id", "submission__attempt__item_id", "title"
    )
    return {(person, item): Text.from_json(title) for person, item, title in found}


def _hard(counted: QuerySet[Submission]) -> tuple[Hard, ...]:
    """The items with most wrong answers."""
    is_wrong = Q(standing_mark__isnull=False) & ~Q(standing_mark__verdict=Verdict.CORRECT)
    rows = (
        counted.values("attempt__item__slug", "attempt__item__title")
        .annotate(
            answers=Count("id", filter=Q(standing_mark__isnull=False)),
            wrong=Count("id", filter=is_wrong),
            students=Count("attempt__enrollment", distinct=True),
            solved=Count("attempt__enrollment", distinct=True, filter=Q(standing_mark__verdict=Verdict.CORRECT)),
        )
        .filter(wrong__gt=0)
        .order_by("-wrong", "attempt__item__slug")[:HARD_SHOWN]
    )
    return tuple(
        Hard(
            item_slug=row["attempt__item__slug"],
            title=Text.from_json(row["attempt__item__title"]),
            wrong=row["wrong"],
            answers=row["answers"],
            students=row["students"],
            unsolved=row["students"] - row["solved"],
        )
        for row in rows
    )


def _days(course: Course, counted: QuerySet[Submission], now: datetime) -> tuple[Day, ...]:
    """The last four weeks, with the days on which nobody did anything."""
    zone = course_zone(course)
    today = timezone.localtime(now, zone).date()
    first = today - timedelta(days=DAYS_SHOWN - 1)
    rows = (
        counted.filter(created_at__gte=now - timedelta(days=DAYS_SHOWN))
        .annotate(day=TruncDate("created_at", tzinfo=zone))
        .values("day")
        .annotate(answers=Count("id"), students=Count("attempt__enrollment", distinct=True))
    )
    found = {row["day"]: row for row in rows}
    days = (first + timedelta(days=place) for place in range(DAYS_SHOWN))
    return tuple(
        Day(day, found[day]["answers"], found[day]["students"]) if day in found else Day(day, 0, 0) for day in days
    )
