"""Show a learner the worked solution before the item is solved."""

from __future__ import annotations

from django.db import transaction
from django.utils import timezone

from exercises.models import Attempt
from exercises.queries.help import is_solved, may_be_shown
from exercises.services.learner_lock import lock_learner
from exercises.services.terms_check import check_begun, terms_of


class SolutionNotYet(Exception):  # noqa: N818 -- nothing went wrong: the learner is asked to try first
    """Too few differing answers were sent, solutions are not released, or there is nothing to show."""


def solution_show(*, attempt: Attempt) -> None:
    """Open the solution of this attempt for good; what is sent to it from now on is no try.

    Raises SolutionNotYet, and NotOpenYet by the assignment's dates.
    """
    terms, now = terms_of(attempt), timezone.now()
    check_begun(terms=terms, now=now)
    if not terms.shows_solution(now):
        raise SolutionNotYet
    with transaction.atomic():
        lock_learner(user_id=attempt.enrollment.user_id)
        if is_solved(attempt):  # open already, and no less solved for being looked at
            return
        if not may_be_shown(attempt):
            raise SolutionNotYet
        Attempt.objects.filter(pk=attempt.pk, shown_at=None).update(shown_at=timezone.now())
        attempt.refresh_from_db(fields=["shown_at"])
