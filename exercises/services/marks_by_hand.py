"""What an instructor does at the desk of quick checks: mark alike answers together, take that back, send answers back."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from decimal import Decimal
from uuid import UUID, uuid4

from django.db import transaction
from django.utils import timezone

from exercises.enums import Act, GradingProgress, MarkedBy
from exercises.models import Course, Mark, MarkDraft, SentBack, Submission, User
from exercises.queries.misconceptions import misconceptions_known
from exercises.services.audit_record import note
from exercises.services.mark_by_instructor import (
    COMMENT_TOO_LONG,
    LONGEST_COMMENT,
    REPLACED,
    SCORE_STEP,
    Judgement,
    MarkRefused,
    mark_give,
)
from exercises.services.mark_record import mark_stand
from exercises.services.storable import storable_text

# Answers that one form can hold: as many as are compared with each other.
MOST_AT_ONCE = 1_000


@dataclass(frozen=True, slots=True)
class Done:
    """How many of the answers an act reached; the others had changed since they were read."""

    batch: UUID
    reached: int
    passed_over: int


def points_for(met: int, criteria: int, max_score: Decimal) -> Decimal:
    """The score of an answer that meets so many of the rubric's criteria, which all weigh the same."""
    return (max_score * met / criteria).quantize(SCORE_STEP)


def marks_give(*, instructor: User, submissions: Sequence[Submission], judgement: Judgement) -> Done:
    """Give every answer the same mark, by one act. Raises MarkRefused if not one of them can have it."""
    batch = uuid4()

    def give(submission: Submission) -> None:
        mark_give(instructor=instructor, submission=submission, judgement=judgement, batch=batch)

    return _each(submissions, give, batch)


def answers_send_back(*, instructor: User, submissions: Sequence[Submission], comment: str) -> Done:
    """Give unmarked answers back, with the words that say what is missing. Raises MarkRefused."""
    said = storable_text(comment).strip()
    if len(said) > LONGEST_COMMENT:
        raise MarkRefused(COMMENT_TOO_LONG.fill(max=str(LONGEST_COMMENT)))
    batch = uuid4()

    def send_back(submission: Submission) -> None:
        waiting = Submission.objects.filter(
            pk=submission.pk, counted=True, grading_progress=GradingProgress.PENDING_MANUAL
        )
        if not waiting.update(grading_progress=GradingProgress.NOT_READY, settled_at=timezone.now()):
            raise MarkRefused(REPLACED)
        SentBack.objects.update_or_create(submission=submission, defaults={"by": instructor, "comment": said})
        MarkDraft.objects.filter(submission=submission, instructor=instructor).delete()
        course = submission.attempt.enrollment.course
        note(actor=instructor, course=course, act=Act.SEND_BACK, subject=submission, detail={"batch": str(batch)})

    return _each(submissions, send_back, batch)


def marks_take_back(*, instructor: User, course: Course, batch: UUID) -> int:
    """Let what stood before the marks of a batch stand again; a mark that another has replaced since stays as it is."""
    given = Mark.objects.filter(
        batch=batch, by=MarkedBy.INSTRUCTOR, marker=instructor, submission__attempt__enrollment__course=course
    )
    marks = given.select_related("replaced", "submission__attempt__item__curriculum").order_by("pk")
    with transaction.atomic():
        return sum(_take_back(mark, instructor, course) for mark in marks)


def _each(submissions: Sequence[Submission], act: Callable[[Submission], None], batch: UUID) -> Done:
    refusals = []
    with transaction.atomic():
        # Always in the same order, lest two acts over the same answers wait for each other.
        for submission in sorted(submissions, key=lambda each: each.pk):
            try:
                with transaction.atomic():
                    act(submission)
            except MarkRefused as refusal:
                refusals.append(refusal)
    if refusals and len(refusals) == len(submissions):
        raise refusals[0]
    return Done(batch, len(submissions) - len(refusals), len(refusals))


def _take_back(mark: Mark, instructor: User, course: Course) -> bool:
    submission, before = mark.submission, mark.replaced
    progress = GradingProgress.FULLY_GRADED if before else GradingProgress.PENDING_MANUAL
    standing = Submission.objects.filter(pk=submission.pk, standing_mark=mark)
    if not standing.update(grading_progress=progress, standing_mark=before):
        return False
    known = misconceptions_known(submission.attempt.item.curriculum)
    titles = {slug: known[slug] for slug in before.misconceptions if slug in known} if before else {}
    mark_stand(submission=submission, mark=before, titles=titles)
    if before is None and _has_newer(submission):
        Submission.objects.filter(pk=submission.pk).update(counted=False)
    note(actor=instructor, course=course, act=Act.TAKE_BACK_MARK, subject=submission, detail={"batch": str(mark.batch)})
    return True


def _has_newer(submission: Submission) -> bool:
    newer = Submission.objects.filter(attempt_id=submission.attempt_id, created_at__gt=submission.created_at)
    return newer.filter(counted=True).exists()
