"""Let a request wait a moment for the outcome of a code submission."""

from __future__ import annotations

from exercises.enums import GradingProgress
from exercises.models import Submission
from exercises.services.wake_wait import wake_wait


def submission_wait(*, submission: Submission, seconds: float | None = None) -> Submission:
    """The submission as it stands when it is settled or the time is over; a job that the broker did not take is not waited for."""
    submission = _read_again(submission)
    if submission.grading_progress != GradingProgress.PENDING or submission.sent_at is None:
        return submission
    wake_wait(ticket=submission.job_ticket, seconds=seconds)
    return _read_again(submission)


def _read_again(submission: Submission) -> Submission:
    related = Submission.objects.select_related(
        "attempt__enrollment__course",
        "attempt__enrollment__user",
        "attempt__item__lesson",
        "attempt__item_version",
        "standing_mark",
    )
    return related.get(pk=submission.pk)
