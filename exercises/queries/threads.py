"""Questions about items with what was said to them: beside an item, and in the inbox of a course."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from django.db.models import Prefetch, QuerySet

from exercises.enums import QuestionKind, QuestionState
from exercises.models import Course, Enrollment, Question, Reply
from exercises.queries.paging import PAGE, Page, nearest_page, pages_of
from grader.marking.text import Text

MOST_BESIDE_AN_ITEM = 5


@dataclass(frozen=True, slots=True)
class Message:
    """One message in answer."""

    author: str
    is_from_staff: bool
    text: str
    sent_at: datetime


@dataclass(frozen=True, slots=True)
class Thread:
    """A question and the messages in answer, the oldest first; `seed` and `number` say of which numbers it speaks."""

    id: UUID
    kind: QuestionKind
    state: QuestionState
    text: str
    asked_at: datetime
    course_slug: str
    item_slug: str
    item_title: Text
    lesson_slug: str
    learner: str
    learner_name: str
    number: int
    seed: int
    submission_id: UUID | None
    messages: tuple[Message, ...]

    @property
    def last_at(self) -> datetime:
        """When something was said last."""
        return self.messages[-1].sent_at if self.messages else self.asked_at


def threads_at(enrollment: Enrollment, items: Collection[int]) -> Mapping[int, tuple[Thread, ...]]:
    """Item id -> the learner's latest questions about it. One query, and two more where there are any."""
    asked = Question.objects.filter(attempt__enrollment=enrollment, attempt__item__in=items)
    # Hardly any item has a question: asking for nothing but ids is cheap, and all that belongs to them is not.
    rows = list(asked.order_by().values_list("pk", flat=True))
    found: dict[int, list[Thread]] = {}
    for row in _rows(Question.objects.filter(pk__in=rows)) if rows else ():
        mine = found.setdefault(row.attempt.item_id, [])
        if len(mine) < MOST_BESIDE_AN_ITEM:
            mine.append(thread(row))
    return {item: tuple(reversed(threads)) for item, threads in found.items()}


def inbox(course: Course, *, state: str = "", item: str = "", learner: str = "", page: int = 1) -> Page[Thread]:
    """A page of a course's questions, the latest first; each of the three narrows them where it is not empty."""
    rows = Question.objects.filter(attempt__enrollment__course=course)
    if state:
        rows = rows.filter(state=state)
    if item:
        rows = rows.filter(attempt__item__slug=item)
    if learner:
        rows = rows.filter(attempt__enrollment__user__username=learner)
    pages = pages_of(rows.count())
    number = nearest_page(page, pages)
    shown = _rows(rows)[(number - 1) * PAGE : number * PAGE]
    return Page(tuple(thread(row) for row in shown), number, pages)


def thread(row: Question) -> Thread:
    """A question as pages show it."""
    attempt = row.attempt
    user = attempt.enrollment.user
    return Thread(
        id=row.public_id,
        kind=QuestionKind(row.kind),
        state=QuestionState(row.state),
        text=row.text,
        asked_at=row.created_at,
        course_slug=attempt.enrollment.course.slug,
        item_slug=attempt.item.slug,
        item_title=Text.from_json(attempt.item.title),
        lesson_slug=attempt.item.lesson.slug,
        learner=str(user),
        learner_name=user.username,
        number=attempt.number,
        seed=attempt.seed,
        submission_id=row.submission.public_id if row.submission else None,
        messages=tuple(
            Message(str(reply.author or ""), reply.is_from_staff, reply.text, reply.created_at)
            for reply in row.replies.all()
        ),
    )


def _rows(rows: QuerySet[Question]) -> QuerySet[Question]:
    replies = Prefetch("replies", queryset=Reply.objects.select_related("author").order_by("created_at", "pk"))
    related = ("attempt__enrollment__course", "attempt__enrollment__user", "attempt__item__lesson", "submission")
    return rows.select_related(*related).prefetch_related(replies).order_by("-created_at", "-pk")
