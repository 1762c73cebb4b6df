"""Who is in a course, for its instructors."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from django.contrib.auth.hashers import UNUSABLE_PASSWORD_PREFIX
from django.db.models import Count, Exists, F, OuterRef, Q, QuerySet
from django.utils import timezone

from exercises.enums import STAFF, Role
from exercises.models import Activation, Course, CourseCode, Enrollment
from exercises.queries.paging import Page, nearest_page, pages_of

PAGE: int = 100


@dataclass(frozen=True, slots=True)
class Member:
    """One person in a course. `waits` says that the account is not activated yet."""

    pk: int
    username: str
    name: str
    role: Role
    labels: tuple[str, ...]
    joined_at: datetime
    last_login: datetime | None
    waits: bool


@dataclass(frozen=True, slots=True)
class People:
    """One page of the people of a course, and how many there are of each role in all of it."""

    members: Page[Member]
    found: int
    counts: dict[str, int]
    labels: tuple[str, ...]
    waiting: int


@dataclass(frozen=True, slots=True)
class Chosen:
    """Which people are wanted; empty means all."""

    words: str = ""
    role: str = ""
    label: str = ""
    page: int = 1


def people(course: Course, chosen: Chosen) -> People:
    """Six queries however many there are."""
    everybody = Enrollment.objects.filter(course=course)
    counts = dict(everybody.order_by().values_list("role").annotate(count=Count("pk")))
    found = _found(everybody, chosen)
    total = found.count()
    pages = pages_of(total, PAGE)
    page = nearest_page(chosen.page, pages)
    rows = found.select_related("user").prefetch_related("labels").order_by("user__username")
    unopened = Activation.objects.filter(user=OuterRef("user"))
    shown = rows.annotate(has_activation=Exists(unopened))[(page - 1) * PAGE : page * PAGE]
    waiting = everybody.filter(role__in=[*STAFF, Role.STUDENT], user__activation__isnull=False).count()
    names = tuple(course.labels.filter(enrollments__isnull=False).distinct().values_list("name", flat=True))
    return People(Page(tuple(_member(row) for row in shown), page, pages), total, counts, names, waiting)


def good_codes(course: Course) -> tuple[CourseCode, ...]:
    """The codes that still let somebody in, the newest first."""
    good = Q(revoked_at=None, expires_at__gt=timezone.now(), uses__lt=F("most_uses"))
    return tuple(CourseCode.objects.filter(good, course=course).order_by("-created_at"))


def _found(everybody: QuerySet[Enrollment], chosen: Chosen) -> QuerySet[Enrollment]:
    """Guests and former members are shown only when they are asked for."""
    found = everybody.filter(role=chosen.role) if chosen.role else everybody.exclude(role__in=[Role.GUEST, Role.FORMER])
    if chosen.words:
        found = found.filter(Q(user__username__icontains=chosen.words) | Q(user__display_name__icontains=chosen.words))
    return found.filter(labels__name=chosen.label).distinct() if chosen.label else found


def _member(row: Enrollment) -> Member:
    return Member(
        pk=row.pk,
        username=row.user.username,
        name=row.user.display_name,
        role=Role(row.role),
        labels=tuple(label.name for label in row.labels.all()),
        joined_at=row.created_at,
        last_login=row.user.last_login,
        waits=row.user.password.startswith(UNUSABLE_PASSWORD_PREFIX) and row.has_activation,  # type: ignore[attr-defined]  # annotated above
    )
