"""The free-text answers of a course, for the instructor to read and mark."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal
from typing import cast
from uuid import UUID

from exercises.enums import GradingProgress, ItemKind, Role
from exercises.models import Course, Submission
from exercises.queries.definitions import attempt_content
from grader.marking.items import FreeTextItem, Rubric
from grader.marking.text import Text


@dataclass(frozen=True, slots=True)
class QuickCheckAnswer:
    """One student's latest text for one item, the rubric it is read by, and the mark it has."""

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

    @property
    def is_waiting(self) -> bool:
        """Whether nobody has marked it."""
        return self.score is None


def quick_check_answers(course: Course) -> tuple[QuickCheckAnswer, ...]:
    """Each student's latest text for each item. Those that wait come first, then those that ask for another look, the oldest first. One query."""
    submissions = Submission.objects.filter(
        attempt__enrollment__course=course,
        attempt__enrollment__role=Role.STUDENT,
        attempt__item__is_active=True,
        kind=ItemKind.FREE_TEXT,
        counted=True,
        grading_progress__in=[GradingProgress.PENDING_MANUAL, GradingProgress.FULLY_GRADED],
    ).select_related(
        "attempt__enrollment__user", "attempt__item", "attempt__item_version", "standing_mark__second_look", "self_mark"
    )
    latest = {
        (each.attempt.enrollment_id, each.attempt.item_id): each for each in submissions.order_by("created_at", "pk")
    }
    answers = sorted(
        map(_answer, latest.values()),
        key=lambda answer: (not answer.is_waiting, not answer.look_reason, answer.sent_at),
    )
    return tuple(answers)


def _answer(submission: Submission) -> QuickCheckAnswer:
    attempt = submission.attempt
    content = cast("FreeTextItem", attempt_content(attempt))  # a submission has its item's kind
    mark, own = submission.standing_mark, getattr(submission, "self_mark", None)
    look = getattr(mark, "second_look", None)
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
    )
