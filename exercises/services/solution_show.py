"""Show a learner the worked solution before the item is solved."""

from __future__ import annotations

from django.db import transaction
from django.utils import timezone

from exercises.models import Attempt
from exercises.queries.help import is_solved, may_be_shown
from exercises.services.learner_lock import lock_learner


class SolutionNotYet(Exception):  # noqa: N818 -- nothing went wrong: the learner is asked to try first
    """Too few differing answers were sent, or there is nothing to show."""


def solution_show(*, attempt: Attempt) -> None:
    """Open the solution of this attempt for good; what is sent to it from now on is no try. Raises SolutionNotYet."""
    with transaction.atomic():
        lock_learner(user_id=attempt.enrollment.user_id)
        if is_solved(attempt):  # open already, and no less solved for being looked at
            return
        if not may_be_shown(attempt):
            raise SolutionNotYet
        Attempt.objects.filter(pk=attempt.pk, shown_at=None).update(shown_at=timezone.now())
        attempt.refresh_from_db(fields=["shown_at"])
