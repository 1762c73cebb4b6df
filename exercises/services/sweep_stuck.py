"""Find the jobs that got lost on their way, and send them again.

A job is lost only if nobody holds it AND it was sent before the oldest message that still waits in the queue: what was
sent later simply waits its turn, however long the queue is. Three sends are enough; a job that is lost three times ends
as our failure. Running twice at once does no harm, since each send is a compare-and-set on the number of sends.
"""

from __future__ import annotations

import logging
from dataclasses import dataclass
from datetime import datetime, timedelta

from django.db.models import Q, QuerySet
from django.utils import timezone

from exercises import dispatch
from exercises.enums import GradingProgress
from exercises.models import Run, Submission
from exercises.services.job_send import job_send
from exercises.services.outcome_record import LOST, submission_fail

log = logging.getLogger(__name__)

MOST_SENDS = 3
MOST_IN_ONE_SWEEP = 200
# Time for a request that has stored a job to send it.
TIME_TO_SEND = timedelta(seconds=3)
# Time for a taken job to be held, and for the outcome of a finished one to be recorded.
TIME_TO_SETTLE = timedelta(seconds=10)
# Two web processes stamp their messages and push them in either order; their clocks are one machine's or nearly so.
STAMP_SLACK = timedelta(seconds=5)
# How long the report of an uncounted run is kept for the page that shows it.
RUN_KEPT = timedelta(minutes=30)


@dataclass(frozen=True, slots=True)
class Swept:
    """What one sweep did."""

    sent: int = 0
    failed: int = 0


def sweep_stuck() -> Swept:
    """Look once; a broker that is away leaves all submissions as they are."""
    Run.objects.filter(created_at__lt=timezone.now() - RUN_KEPT).delete()
    try:
        stuck = [each for each in _suspects(timezone.now())[:MOST_IN_ONE_SWEEP] if not _is_held(each)]
    except dispatch.BrokerAway as error:
        log.warning("sweep put off, broker away: %s", error)
        return Swept()
    lost = [each for each in stuck if each.sends >= MOST_SENDS]
    failed = sum(submission_fail(submission=each, failure=LOST) for each in lost)
    sent = sum(job_send(submission=each) for each in stuck if each.sends < MOST_SENDS)
    if stuck:
        log.info("swept: sent=%d failed=%d", sent, failed)
    return Swept(sent=sent, failed=failed)


def _suspects(now: datetime) -> QuerySet[Submission]:
    suspect = Q(sent_at__isnull=True, created_at__lt=now - TIME_TO_SEND)
    # Outcomes that wait to be recorded make finished jobs look lost: look again when they are through.
    if not dispatch.outcomes_waiting():
        suspect |= Q(sent_at__lt=_taken_before(now))
    pending = Submission.objects.filter(suspect, grading_progress=GradingProgress.PENDING)
    return pending.select_related("attempt__item_version").order_by("created_at", "pk")


def _taken_before(now: datetime) -> datetime:
    oldest = dispatch.oldest_waiting_sent_at()
    patience = now - TIME_TO_SETTLE
    return patience if oldest is None else min(patience, oldest - STAMP_SLACK)


def _is_held(submission: Submission) -> bool:
    return submission.sent_at is not None and dispatch.is_held(submission.job_ticket)
