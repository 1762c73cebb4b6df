"""Give a learner the next hint."""

from __future__ import annotations

from datetime import timedelta
from math import ceil

from django.db import transaction
from django.utils import timezone

from exercises.enums import MarkedBy
from exercises.models import Attempt, HintTaken, Mark
from exercises.queries.definitions import attempt_content
from exercises.services.learner_lock import lock_learner
from exercises.services.terms_check import check_open, terms_of
from grader.marking.hints import rungs, step_at_hand
from grader.marking.mark import Mark as Marking

# Long enough to read a rung; who has sent another answer since need not wait.
PAUSE = timedelta(seconds=10)


class NoHintLeft(Exception):  # noqa: N818 -- nothing went wrong: all hints are on the page
    """Every hint of the item has been taken."""


class HintTooSoon(Exception):  # noqa: N818 -- nothing went wrong: the last hint wants to be read first
    """The last hint was taken a moment ago, and no other answer was sent since."""

    def __init__(self, seconds: int) -> None:
        super().__init__(seconds)
        self.seconds = seconds


def hint_take(*, attempt: Attempt) -> HintTaken:
    """The next rung of this attempt's ladder. Raises NoHintLeft, or HintTooSoon with the seconds that are left.

    Raises NotOpenYet and NotOpenAnyMore by the assignment's dates. As long as marks are withheld, no hint knows of them.
    """
    now = timezone.now()
    terms = terms_of(attempt)
    check_open(enrollment=attempt.enrollment, terms=terms, now=now)
    content = attempt_content(attempt)
    with transaction.atomic():
        lock_learner(user_id=attempt.enrollment.user_id)
        last = attempt.hints.order_by("-rung").first()
        rung = last.rung + 1 if last else 1
        if rung > rungs(content):
            raise NoHintLeft
        if last is not None:
            _wait_after(last)
        marking = _latest_marking(attempt) if terms.shows_feedback(now) else None
        step = step_at_hand(content, marking) if rung > len(content.hints) else ""
        # The last rung works out the step of which the one before it spoke.
        step = last.step if last and last.step else step
        return HintTaken.objects.create(attempt=attempt, rung=rung, step=step)


def _wait_after(last: HintTaken) -> None:
    left = PAUSE - (timezone.now() - last.created_at)
    if left > timedelta(0) and not last.attempt.submissions.filter(created_at__gt=last.created_at).exists():
        raise HintTooSoon(ceil(left.total_seconds()))


def _latest_marking(attempt: Attempt) -> Marking | None:
    marks = Mark.objects.filter(submission__attempt=attempt, by=MarkedBy.AUTO)
    latest = marks.order_by("-submission__created_at", "-submission__pk").first()
    return Marking.from_json(latest.feedback) if latest else None
