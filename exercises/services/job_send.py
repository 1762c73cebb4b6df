"""Hand one code submission to the queue."""

from __future__ import annotations

import logging

from django.db.models import F
from django.utils import timezone

from exercises import dispatch
from exercises.enums import GradingProgress
from exercises.models import Submission

# Hexadecimal digits of the ticket: small enough for every JSON reader's whole numbers.
HIDDEN_SEED_DIGITS = 12

log = logging.getLogger(__name__)


def job_send(*, submission: Submission) -> bool:
    """Send the job, once more if it was sent before; False if the broker is away or another process was quicker.

    The row says "sent" before the message exists. A crash in between leaves a job that looks lost, which the sweeper
    finds; the other order would leave one that nobody knows to have been sent.
    """
    now = timezone.now()
    mine = Submission.objects.filter(pk=submission.pk, grading_progress=GradingProgress.PENDING, sends=submission.sends)
    if not mine.update(sends=F("sends") + 1, sent_at=now):
        return False
    job = dispatch.GradeCodeJob(
        ticket=submission.job_ticket,
        definition=submission.attempt.item_version.definition,
        seed=hidden_seed(submission),
        code=submission.raw_response["code"],
    )
    try:
        dispatch.send_grade_code(job, sent_at=now)
    except dispatch.BrokerAway as error:
        _take_back(submission)
        log.warning("broker away, submission waits: submission=%s reason=%s", submission.public_id, error)
        return False
    return True


def hidden_seed(submission: Submission) -> int:
    """The hidden cases are new for each submission, and the same again when a lost job is sent once more."""
    return int(submission.job_ticket[:HIDDEN_SEED_DIGITS], 16)


def _take_back(submission: Submission) -> None:
    sent = Submission.objects.filter(
        pk=submission.pk, grading_progress=GradingProgress.PENDING, sends=submission.sends + 1
    )
    sent.update(sends=submission.sends, sent_at=submission.sent_at)
