"""The latest feedback that a learner has got in a course."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from django.db.models import OuterRef, Subquery

from exercises.enums import MarkedBy, Verdict
from exercises.models import Enrollment, Mark, Submission
from exercises.queries.terms import is_hidden, withheld
from grader.marking.text import Text


@dataclass(frozen=True, slots=True)
class LastFeedback:
    """What was said last, and of which item."""

    submission_id: UUID
    item_title: Text
    verdict: Verdict
    by_instructor: bool
    comment: str
    given_at: datetime


def last_feedback(enrollments: Collection[Enrollment]) -> Mapping[int, LastFeedback]:
    """Enrollment id -> the feedback whose mark stands, was released and is the newest. Two queries."""
    hidden = is_hidden(withheld(enrollments), "attempt__enrollment_id", "attempt__item_id")
    newest = Submission.objects.filter(
        attempt__enrollment=OuterRef("attempt__enrollment"), counted=True, standing_mark__isnull=False
    )
    newest = newest.exclude(hidden).order_by("-standing_mark__created_at", "-pk")
    rows = Submission.objects.filter(attempt__enrollment__in=enrollments, pk=Subquery(newest.values("pk")[:1]))
    return {
        row.attempt.enrollment_id: _feedback(row, row.standing_mark)
        for row in rows.select_related("attempt__item", "standing_mark")
        if row.standing_mark
    }


def _feedback(submission: Submission, mark: Mark) -> LastFeedback:
    return LastFeedback(
        submission_id=submission.public_id,
        item_title=Text.from_json(submission.attempt.item.title),
        verdict=Verdict(mark.verdict),
        by_instructor=mark.by == MarkedBy.INSTRUCTOR,
        comment=mark.comment,
        given_at=mark.created_at,
    )
