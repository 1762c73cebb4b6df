"""What has happened for somebody: marks that came, answers that came, and for staff what was asked.

It is read from where it happened, so that nothing has to be kept in step; a mark that is kept back is no news yet.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import TypeVar
from uuid import UUID
from zoneinfo import ZoneInfo

from django.db.models import Exists, F, Model, OuterRef, QuerySet

from exercises.access import memberships
from exercises.enums import STAFF, MarkedBy, QuestionState
from exercises.models import Enrollment, Mark, Question, Reply, SecondLook, User
from exercises.queries.terms import is_hidden, withheld
from grader.marking.text import Text

MOST = 50
Row = TypeVar("Row", bound=Model)


class NewsKind(StrEnum):
    """What has happened."""

    MARKED = "marked"
    MARKED_AGAIN = "marked_again"
    LOOKED_AGAIN = "looked_again"
    ANSWERED = "answered"
    ASKED = "asked"


@dataclass(frozen=True, slots=True)
class News:
    """One thing that happened, told in the time of its course; it leads to a submission, or else to a question."""

    kind: NewsKind
    at: datetime
    item_title: Text
    course_title: Text
    words: str
    is_new: bool
    zone: ZoneInfo
    submission_id: UUID | None = None
    question_id: UUID | None = None
    who: str = ""


def news(user: User, since: datetime | None = None) -> list[News]:
    """The latest first, at most `MOST`; with `since` only what came later. At most five queries."""
    mine = list(memberships(user).select_related("course"))
    if not mine:
        return []
    seen = user.news_seen_at
    found = [*_marks(mine, seen, since), *_answers(mine, seen, since)]
    taught = [each.course_id for each in mine if each.role in STAFF]
    if taught:
        found += _asked(taught, seen, since)
    return sorted(found, key=lambda each: each.at, reverse=True)[:MOST]


def _marks(mine: list[Enrollment], seen: datetime | None, since: datetime | None) -> Iterator[News]:
    asked = SecondLook.objects.filter(mark__submission=OuterRef("submission"), created_at__lt=OuterRef("created_at"))
    rows = Mark.objects.filter(
        submission__attempt__enrollment__in=mine,
        submission__standing_mark=F("pk"),
        by__in=[MarkedBy.INSTRUCTOR, MarkedBy.REGRADE],
    )
    kept_back = is_hidden(withheld(mine), "submission__attempt__enrollment", "submission__attempt__item")
    rows = _later(rows.exclude(kept_back), since).annotate(was_asked=Exists(asked))
    related = rows.select_related("submission__attempt__item", "submission__attempt__enrollment__course")
    for mark in related.defer("feedback", "submission__raw_response").order_by("-created_at", "-pk")[:MOST]:
        attempt = mark.submission.attempt
        usual = NewsKind.MARKED if mark.by == MarkedBy.INSTRUCTOR else NewsKind.MARKED_AGAIN
        yield News(
            kind=NewsKind.LOOKED_AGAIN if mark.was_asked else usual,
            at=mark.created_at,
            item_title=Text.from_json(attempt.item.title),
            course_title=Text.from_json(attempt.enrollment.course.title),
            words=mark.comment,
            is_new=_is_new(mark.created_at, seen),
            zone=attempt.enrollment.course.zone,
            submission_id=mark.submission.public_id,
        )


def _answers(mine: list[Enrollment], seen: datetime | None, since: datetime | None) -> Iterator[News]:
    rows = _later(Reply.objects.filter(question__attempt__enrollment__in=mine, is_from_staff=True), since)
    related = rows.select_related("author", "question__attempt__item", "question__attempt__enrollment__course")
    for reply in related.order_by("-created_at", "-pk")[:MOST]:
        yield _about(reply.question, NewsKind.ANSWERED, reply.created_at, reply.text, str(reply.author or ""), seen)


def _asked(courses: list[int], seen: datetime | None, since: datetime | None) -> Iterator[News]:
    rows = Question.objects.filter(attempt__enrollment__course__in=courses, state=QuestionState.OPEN)
    related = rows.select_related("attempt__item", "attempt__enrollment__course", "attempt__enrollment__user")
    latest = _later(related.prefetch_related("replies"), since)
    for question in latest.order_by("-created_at", "-pk")[:MOST]:
        said = question.replies.all()
        last = said[len(said) - 1] if said else question
        yield _about(question, NewsKind.ASKED, last.created_at, last.text, str(question.attempt.enrollment.user), seen)


def _about(question: Question, kind: NewsKind, at: datetime, words: str, who: str, seen: datetime | None) -> News:
    attempt = question.attempt
    return News(
        kind=kind,
        at=at,
        item_title=Text.from_json(attempt.item.title),
        course_title=Text.from_json(attempt.enrollment.course.title),
        words=words,
        is_new=_is_new(at, seen),
        zone=attempt.enrollment.course.zone,
        question_id=question.public_id,
        who=who,
    )


def _is_new(at: datetime, seen: datetime | None) -> bool:
    return seen is None or at > seen


def _later(rows: QuerySet[Row], since: datetime | None) -> QuerySet[Row]:
    return rows.filter(created_at__gt=since) if since else rows
