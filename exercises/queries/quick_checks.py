"""The free-text answers of a course, for the instructor to read and mark."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal
from enum import StrEnum
from typing import cast
from uuid import UUID

from django.db.models import QuerySet

from exercises.enums import GradingProgress, ItemKind, Role
from exercises.models import Course, Item, MarkDraft, StockComment, Submission, User
from exercises.queries.definitions import attempt_content, item_content
from grader.marking.items import FreeTextItem, Rubric
from grader.marking.text import Text

AT_THE_DESK = (GradingProgress.PENDING_MANUAL, GradingProgress.FULLY_GRADED, GradingProgress.NOT_READY)


class AnswerState(StrEnum):
    """What an answer waits for: a mark, another look, the learner, or nothing."""

    WAITING = "waiting"
    LOOK = "look"
    SENT_BACK = "sent_back"
    MARKED = "marked"


@dataclass(frozen=True, slots=True)
class QuickCheckAnswer:
    """One student's latest text for one item, the rubric it is read by, and the mark it has.

    `mark_id` is the standing mark's; a mark that is given later must find the same one still standing.
    """

    submission_id: UUID
    username: str
    name: str
    item_slug: str
    item_title: Text
    prompt: Text
    rubric: Rubric
    text: str
    sent_at: datetime
    max_score: Decimal
    score: Decimal | None
    comment: str
    own_reading: frozenset[str] | None
    look_reason: str
    mark_id: int | None = None
    criteria: frozenset[str] = frozenset()
    misconceptions: frozenset[str] = frozenset()
    sent_back: str | None = None

    @property
    def is_waiting(self) -> bool:
        """Whether nobody has marked it, nor sent it back."""
        return self.state is AnswerState.WAITING

    @property
    def state(self) -> AnswerState:
        """What it waits for."""
        if self.look_reason:
            return AnswerState.LOOK
        if self.score is not None:
            return AnswerState.MARKED
        return AnswerState.WAITING if self.sent_back is None else AnswerState.SENT_BACK


@dataclass(frozen=True, slots=True)
class QueueLine:
    """One question, and how many of its answers wait for what."""

    item_slug: str
    title: Text
    waiting: int
    look: int
    sent_back: int
    marked: int

    @property
    def total(self) -> int:
        """All students' latest answers."""
        return self.waiting + self.look + self.sent_back + self.marked

    @property
    def done(self) -> int:
        """Those that wait for nothing from an instructor."""
        return self.marked + self.sent_back

    @property
    def open(self) -> int:
        """Those that do."""
        return self.waiting + self.look


def quick_check_queue(course: Course) -> tuple[QueueLine, ...]:
    """Every question of the course, in the order of the lessons. Two queries."""
    rows = (
        _at_the_desk(course)
        .order_by("created_at", "pk")
        .values_list(
            *("attempt__enrollment_id", "attempt__item_id", "grading_progress", "standing_mark_id"),
            "standing_mark__second_look__id",
        )
    )
    latest = {(enrollment, item): rest for enrollment, item, *rest in rows}
    counts = Counter((item, _state_of(*rest)) for (_, item), rest in latest.items())
    items = Item.objects.filter(curriculum=course.curriculum_id, is_active=True, kind=ItemKind.FREE_TEXT)
    return tuple(
        QueueLine(
            item_slug=item.slug,
            title=Text.from_json(item.title),
            **{state.value: counts[item.pk, state] for state in AnswerState},
        )
        for item in items.order_by("lesson__position", "position")
    )


def quick_check_answers(course: Course, item: Item | None = None) -> tuple[QuickCheckAnswer, ...]:
    """Each student's latest text, of one item or of all.

    Those that wait come first, then those that ask for another look, the oldest first. One query.
    """
    submissions = _at_the_desk(course).select_related(
        *("attempt__enrollment__user", "attempt__item", "attempt__item_version"),
        *("standing_mark__second_look", "self_mark", "sent_back"),
    )
    if item is not None:
        submissions = submissions.filter(attempt__item=item)
    latest = {
        (each.attempt.enrollment_id, each.attempt.item_id): each for each in submissions.order_by("created_at", "pk")
    }
    states = list(AnswerState)
    answers = sorted(map(_answer, latest.values()), key=lambda answer: (states.index(answer.state), answer.sent_at))
    return tuple(answers)


def mark_drafts(submissions: Iterable[UUID]) -> Mapping[UUID, tuple[MarkDraft, ...]]:
    """Submission -> what instructors have written about it and not given, the latest first. One query."""
    found: dict[UUID, tuple[MarkDraft, ...]] = {}
    drafts = MarkDraft.objects.filter(submission__public_id__in=list(submissions))
    for draft in drafts.select_related("submission", "instructor").order_by("-saved_at"):
        key = draft.submission.public_id
        found[key] = (*found.get(key, ()), draft)
    return found


def stock_comments(course: Course) -> tuple[StockComment, ...]:
    """The bank of comments, the oldest first."""
    return tuple(StockComment.objects.filter(course=course))


def misconceptions_to_tag(item: Item) -> tuple[dict[str, Text], dict[str, Text]]:
    """Slug -> title of what the item's lesson can name, and of what only other lessons can. One query."""
    items = Item.objects.filter(curriculum=item.curriculum_id, is_active=True).select_related("current_version")
    here: dict[str, Text] = {}
    elsewhere: dict[str, Text] = {}
    for each in items:
        found = here if each.lesson_id == item.lesson_id else elsewhere
        found |= {known.slug: known.title for known in item_content(each.version).misconceptions.values()}
    return here, {slug: title for slug, title in elsewhere.items() if slug not in here}


def marked_in(batch: UUID, *, instructor: User, course: Course) -> int:
    """How many answers the instructor's act still decides: what taking it back would change."""
    decided = Submission.objects.filter(attempt__enrollment__course=course, standing_mark__batch=batch)
    return decided.filter(standing_mark__marker=instructor).count()


def _at_the_desk(course: Course) -> QuerySet[Submission]:
    return Submission.objects.filter(
        attempt__enrollment__course=course,
        attempt__enrollment__role=Role.STUDENT,
        attempt__item__is_active=True,
        kind=ItemKind.FREE_TEXT,
        counted=True,
        grading_progress__in=AT_THE_DESK,
    )


def _state_of(progress: str, mark_id: int | None, look_id: int | None) -> AnswerState:
    if look_id is not None:
        return AnswerState.LOOK
    if mark_id is not None:
        return AnswerState.MARKED
    return AnswerState.SENT_BACK if progress == GradingProgress.NOT_READY else AnswerState.WAITING


def _answer(submission: Submission) -> QuickCheckAnswer:
    attempt = submission.attempt
    content = cast("FreeTextItem", attempt_content(attempt))  # a submission has its item's kind
    mark, own = submission.standing_mark, getattr(submission, "self_mark", None)
    look = getattr(mark, "second_look", None)
    is_back = submission.grading_progress == GradingProgress.NOT_READY
    back = getattr(submission, "sent_back", None)
    return QuickCheckAnswer(
        submission_id=submission.public_id,
        username=attempt.enrollment.user.username,
        name=str(attempt.enrollment.user),
        item_slug=attempt.item.slug,
        item_title=content.title,
        prompt=content.prompt,
        rubric=content.rubric,
        text=str(submission.raw_response["text"]),
        sent_at=submission.created_at,
        max_score=content.max_score,
        score=mark.score if mark else None,
        comment=mark.comment if mark else "",
        own_reading=frozenset(own.criteria) if own else None,
        look_reason=look.reason if look else "",
        mark_id=submission.standing_mark_id,
        criteria=frozenset(mark.feedback.get("criteria", ())) if mark else frozenset(),
        misconceptions=frozenset(mark.misconceptions) if mark else frozenset(),
        sent_back=back.comment if is_back and back else None,
    )
