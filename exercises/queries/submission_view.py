"""One submission as its author and the instructor may see it."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal
from enum import StrEnum
from typing import Any
from uuid import UUID

from exercises import dispatch
from exercises.enums import GradingProgress, ItemKind, MarkedBy, Verdict
from exercises.models import Mark, Submission
from exercises.queries.queue_place import programs_before
from grader.marking.mark import Mark as Marking
from grader.marking.text import Text


class Stage(StrEnum):
    """Where a submission is on its way, for the words of a waiting page."""

    DELAYED = "delayed"
    QUEUED = "queued"
    RUNNING = "running"
    MARKING = "marking"
    WITH_INSTRUCTOR = "with_instructor"
    REPLACED = "replaced"
    WITHHELD = "withheld"
    SENT_BACK = "sent_back"
    SETTLED = "settled"
    FAILED = "failed"


@dataclass(frozen=True, slots=True)
class StandingMark:
    """The mark that counts; of one that was given anew for everybody also the score that it took the place of.

    `criteria` are the keys of the rubric's that an instructor found met; None where nobody went by the rubric.
    """

    by: MarkedBy
    verdict: Verdict
    score: Decimal
    max_score: Decimal
    comment: str
    misconceptions: tuple[str, ...]
    created_at: datetime
    score_before: Decimal | None = None
    criteria: tuple[str, ...] | None = None


@dataclass(frozen=True, slots=True)
class SubmissionView:
    """A submission with its standing mark, and the automatic marking that explains it cell by cell.

    What is withheld has been marked, and its marks are not told yet.

    `before` counts the programs that were sent before one that waits; `sent_back` is what an instructor wrote when
    giving an answer back unmarked.
    """

    id: UUID
    course_slug: str
    item_slug: str
    item_title: Text
    lesson_slug: str
    student: str
    kind: ItemKind
    raw_response: dict[str, Any]
    grading_progress: GradingProgress
    counted: bool
    failure: str
    created_at: datetime
    settled_at: datetime | None
    standing: StandingMark | None
    marking: Marking | None
    before: int = 0
    sent_back: str = ""
    is_withheld: bool = False

    @property
    def is_settled(self) -> bool:
        """Whether nothing more will happen by itself."""
        return self.grading_progress in {GradingProgress.FULLY_GRADED, GradingProgress.FAILED}


def submission_view(submission: Submission, *, is_withheld: bool = False) -> SubmissionView:
    """One more query for a program that waits, and one for an instructor's mark unless the marks are prefetched."""
    attempt = submission.attempt
    auto = _automatic_mark(submission)
    return SubmissionView(
        id=submission.public_id,
        course_slug=attempt.enrollment.course.slug,
        item_slug=attempt.item.slug,
        item_title=Text.from_json(attempt.item.title),
        lesson_slug=attempt.item.lesson.slug,
        student=str(attempt.enrollment.user),
        kind=ItemKind(submission.kind),
        raw_response=submission.raw_response,
        grading_progress=GradingProgress(submission.grading_progress),
        counted=submission.counted,
        failure=submission.failure,
        created_at=submission.created_at,
        settled_at=submission.settled_at,
        standing=None if is_withheld else _standing_mark(submission.standing_mark),
        marking=Marking.from_json(auto.feedback) if auto and not is_withheld else None,
        is_withheld=is_withheld,
        before=_before(submission),
        sent_back=submission.sent_back.comment if submission.grading_progress == GradingProgress.NOT_READY else "",
    )


def submission_stage(submission: Submission, *, is_withheld: bool = False) -> Stage:
    """Asks the broker whether a worker holds the job; a broker that is away means a delay, not an error."""
    if submission.grading_progress == GradingProgress.PENDING:
        return _waiting_stage(submission)
    if submission.grading_progress == GradingProgress.FAILED:
        return Stage.FAILED
    if submission.grading_progress == GradingProgress.NOT_READY:
        return Stage.SENT_BACK
    if submission.grading_progress == GradingProgress.PENDING_MANUAL:
        return Stage.WITH_INSTRUCTOR if submission.counted else Stage.REPLACED
    return Stage.WITHHELD if is_withheld else Stage.SETTLED


def try_number(submission: Submission) -> int:
    """Which of the learner's counted tries at the item a counted submission is, from 1."""
    tries = Submission.objects.filter(
        attempt__enrollment_id=submission.attempt.enrollment_id,
        attempt__item_id=submission.attempt.item_id,
        counted=True,
    )
    return tries.filter(created_at__lte=submission.created_at).count()


def _before(submission: Submission) -> int:
    is_waiting = submission.grading_progress == GradingProgress.PENDING and submission.kind == ItemKind.CODE
    return programs_before(submission.sent_at) if is_waiting and submission.sent_at else 0


def _waiting_stage(submission: Submission) -> Stage:
    if submission.sent_at is None or submission.ticket is None:
        return Stage.DELAYED
    try:
        if not dispatch.is_held(submission.ticket):
            return Stage.QUEUED
        return Stage.MARKING if dispatch.is_being_marked(submission.ticket) else Stage.RUNNING
    except dispatch.BrokerAway:
        return Stage.DELAYED


def _automatic_mark(submission: Submission) -> Mark | None:
    """The one that stands, or that stood before an instructor gave theirs."""
    if submission.standing_mark is None or submission.standing_mark.by != MarkedBy.INSTRUCTOR:
        return submission.standing_mark
    return next((mark for mark in reversed(list(submission.marks.all())) if mark.by != MarkedBy.INSTRUCTOR), None)


def _standing_mark(mark: Mark | None) -> StandingMark | None:
    if mark is None:
        return None
    by_hand = mark.by == MarkedBy.INSTRUCTOR
    return StandingMark(
        by=MarkedBy(mark.by),
        verdict=Verdict(mark.verdict),
        score=mark.score,
        max_score=mark.max_score,
        comment=mark.comment,
        misconceptions=tuple(mark.misconceptions),
        created_at=mark.created_at,
        criteria=tuple(mark.feedback["criteria"]) if by_hand and "criteria" in mark.feedback else None,
        score_before=mark.replaced.score if mark.by == MarkedBy.REGRADE and mark.replaced else None,
    )
