"""Tell learners of marks that were kept back and are released now, each mark once."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import datetime, timedelta
from typing import Final

from django.db import transaction
from django.db.models import F, Q, QuerySet
from django.utils import timezone

from exercises.enums import Release
from exercises.models import Enrollment, KeptBack
from exercises.queries.terms import FREE, UNBOUND, CourseTerms, Terms, course_terms
from exercises.services.news_tell import news_tell

# A date that passed longer ago released nothing just now: somebody moved it, and what that released is news from now on.
JUST_NOW: Final = timedelta(minutes=10)
# Well within the parameters that one statement may have.
AT_ONCE: Final = 500


def released_tell(*, enrollments: QuerySet[Enrollment] | None = None) -> int:
    """Make released marks of these learners news, or of all, and return how many. Safe to run at the same time twice."""
    told: dict[datetime, list[tuple[int, int]]] = {}
    for as_of, waiting, user in _released(enrollments, timezone.now()):
        told.setdefault(as_of, []).append((waiting, user))
    return sum(_tell(found, as_of) for as_of, found in sorted(told.items()))


def _released(enrollments: QuerySet[Enrollment] | None, now: datetime) -> Iterable[tuple[datetime, int, int]]:
    """Since when it is news, which row waits, and for whom."""
    waiting = KeptBack.objects.filter(told_at=None, mark__submission__standing_mark=F("mark"))
    if enrollments is not None:
        waiting = waiting.filter(mark__submission__attempt__enrollment__in=enrollments)
    attempt = "mark__submission__attempt"
    rows = list(
        waiting.order_by("pk").values_list(
            "pk",
            *(f"{attempt}__enrollment__{name}" for name in ("user", "pk", "role", "course")),
            *(f"{attempt}__item__{name}" for name in ("pk", "lesson")),
        )
    )
    found = course_terms({course for _pk, _user, _enrollment, _role, course, _item, _lesson in rows}) if rows else {}
    for pk, user, enrollment, role, course, item, lesson in rows:
        held = FREE if role in UNBOUND else found.get(course, CourseTerms()).of_item(enrollment, item, lesson)
        if held.shows_feedback(now):
            yield _news_since(held, now), pk, user


def _news_since(held: Terms, now: datetime) -> datetime:
    released_at = held.released_at if held.feedback == Release.BY_HAND else held.feedback_at()
    return released_at if released_at and now - released_at <= JUST_NOW else now


@transaction.atomic
def _tell(found: Sequence[tuple[int, int]], as_of: datetime) -> int:
    told = 0
    for start in range(0, len(found), AT_ONCE):
        part = found[start : start + AT_ONCE]
        told += KeptBack.objects.filter(pk__in=[pk for pk, _user in part], told_at=None).update(told_at=as_of)
        news_tell(Q(pk__in=[user for _pk, user in part]), at=as_of)
    return told
