"""What has happened for somebody: marks that came, answers that came, and for staff what was asked.

It is read from where it happened, so that nothing has to be kept in step; a mark that is kept back is no news yet.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import TypeVar
from uuid import UUID
from zoneinfo import ZoneInfo

from django.db.models import Case, Exists, F, Model, OuterRef, QuerySet, Subquery, Value, When
from django.db.models.functions import Coalesce
from django.utils import timezone

from exercises.access import memberships
from exercises.enums import STAFF, MarkedBy, QuestionState
from exercises.models import Mark, Question, Reply, SecondLook, User
from exercises.queries.paging import PAGE, Page, nearest_page, pages_of
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


@dataclass(frozen=True, slots=True)
class _Sources:
    """Where news come from; each row says `at` when it happened."""

    marks: QuerySet[Mark]
    answers: QuerySet[Reply]
    asked: QuerySet[Question]

    def count(self) -> int:
        """How much has happened. At most three queries."""
        return self.marks.count() + self.answers.count() + self.asked.count()

    def latest(self, most: int, seen: datetime | None) -> list[News]:
        """The latest `most` of all, the latest first. At most four queries."""
        told = [
            *_marks(self.marks[:most], seen),
            *_answers(self.answers[:most], seen),
            *_asked(self.asked[:most], seen),
        ]
        return sorted(told, key=lambda each: each.at, reverse=True)[:most]


def news(user: User, since: datetime | None = None) -> list[News]:
    """The latest first, at most `MOST`; with `since` only what came later. At most six queries."""
    return _sources(user, since).latest(MOST, user.news_seen_at)


def news_page(user: User, asked: int) -> Page[News]:
    """The page that is asked for, the latest first. At most nine queries."""
    sources = _sources(user)
    pages = pages_of(sources.count())
    number = nearest_page(asked, pages)
    found = sources.latest(number * PAGE, user.news_seen_at)
    return Page(tuple(found[(number - 1) * PAGE :]), number, pages)


def new_since(user: User) -> int:
    """How much has happened since the user last saw the news."""
    return _sources(user, user.news_seen_at).count()


def _sources(user: User, since: datetime | None = None) -> _Sources:
    mine = list(memberships(user).select_related("course"))
    marks = Mark.objects.filter(
        submission__attempt__enrollment__in=mine,
        submission__standing_mark=F("pk"),
        by__in=[MarkedBy.INSTRUCTOR, MarkedBy.REGRADE],
    )
    kept_back = is_hidden(withheld(mine), "submission__attempt__enrollment", "submission__attempt__item")
    # What a date has released and nobody has been told of yet is news now.
    told_at = Coalesce("kept_back__told_at", Value(timezone.now()))
    at = Case(When(kept_back=None, then=F("created_at")), default=told_at)
    marks = marks.exclude(kept_back).annotate(at=at)
    answers = Reply.objects.filter(question__attempt__enrollment__in=mine, is_from_staff=True)
    taught = [each.course_id for each in mine if each.role in STAFF]
    asked = Question.objects.filter(attempt__enrollment__course__in=taught, state=QuestionState.OPEN)
    # What is open may have been taken up again long after it was asked.
    said_last = Reply.objects.filter(question=OuterRef("pk")).order_by("-created_at", "-pk").values("created_at")[:1]
    asked = asked.annotate(at=Coalesce(Subquery(said_last), "created_at"))
    return _Sources(_later(marks, since), _later(answers.annotate(at=F("created_at")), since), _later(asked, since))


def _marks(rows: QuerySet[Mark], seen: datetime | None) -> Iterable[News]:
    asked = SecondLook.objects.filter(mark__submission=OuterRef("submission"), created_at__lt=OuterRef("created_at"))
    related = rows.annotate(was_asked=Exists(asked), news_at=F("at")).select_related(
        "submission__attempt__item", "submission__attempt__enrollment__course"
    )
    for mark in related.defer("feedback", "submission__raw_response"):
        attempt = mark.submission.attempt
        usual = NewsKind.MARKED if mark.by == MarkedBy.INSTRUCTOR else NewsKind.MARKED_AGAIN
        yield News(
            kind=NewsKind.LOOKED_AGAIN if mark.was_asked else usual,
            at=mark.news_at,
            item_title=Text.from_json(attempt.item.title),
            course_title=Text.from_json(attempt.enrollment.course.title),
            words=mark.comment,
            is_new=_is_new(mark.news_at, seen),
            zone=attempt.enrollment.course.zone,
            submission_id=mark.submission.public_id,
        )


def _answers(rows: QuerySet[Reply], seen: datetime | None) -> Iterable[News]:
    for reply in rows.select_related("author", "question__attempt__item", "question__attempt__enrollment__course"):
        yield _about(reply.question, NewsKind.ANSWERED, reply.created_at, reply.text, str(reply.author or ""), seen)


def _asked(rows: QuerySet[Question], seen: datetime | None) -> Iterable[News]:
    related = rows.select_related("attempt__item", "attempt__enrollment__course", "attempt__enrollment__user")
    for question in related.prefetch_related("replies"):
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
    """The latest first."""
    later = rows.filter(at__gt=since) if since else rows
    return later.order_by("-at", "-pk")
