"""How many programs of one learner may wait or run at a time, submissions and uncounted runs together."""

from __future__ import annotations

from django.utils import timezone

from exercises import dispatch
from exercises.enums import GradingProgress
from exercises.models import Run, Submission
from exercises.queries.queue_place import RUN_LIFE

MOST_PENDING = 2
SHORTEST_PAUSE_SECONDS = 5
LONGEST_PAUSE_SECONDS = 60


class TooManyPending(Exception):  # noqa: N818 -- nothing went wrong: the learner is asked to wait
    """The learner has as many programs waiting or running as one learner may have."""


def refuse_third(*, user_id: int) -> None:
    """Raises TooManyPending where both places are taken. To be called, and followed up, under the learner's lock."""
    submissions = Submission.objects.filter(
        attempt__enrollment__user_id=user_id, grading_progress=GradingProgress.PENDING
    )
    # A run that nobody has begun within its life is given up, and takes no place.
    runs = Run.objects.filter(
        attempt__enrollment__user_id=user_id, settled_at=None, created_at__gt=timezone.now() - RUN_LIFE
    )
    if submissions.count() + runs.count() >= MOST_PENDING:
        raise TooManyPending


def seconds_until_free() -> int:
    """When to try again: a program takes some seconds at worst and far less as a rule, and others may stand in line."""
    try:
        waiting = dispatch.jobs_waiting()
    except dispatch.BrokerAway:
        waiting = 0
    return min(SHORTEST_PAUSE_SECONDS + waiting, LONGEST_PAUSE_SECONDS)
