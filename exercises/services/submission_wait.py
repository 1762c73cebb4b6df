"""Let a request wait a moment for the outcome of a code submission."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from threading import BoundedSemaphore

from django.conf import settings

from exercises import dispatch
from exercises.enums import GradingProgress
from exercises.models import Submission


def submission_wait(*, submission: Submission, seconds: float | None = None) -> Submission:
    """The submission as it stands when it is settled or the time is over, whichever comes first.

    It does not wait at all for a job that the broker did not take, nor when half of the server's threads wait already:
    the page then asks again later.
    """
    submission = _read_again(submission)
    if submission.grading_progress != GradingProgress.PENDING or submission.sent_at is None:
        return submission
    with _place_to_wait() as is_free:
        if not is_free:
            return submission
        try:
            dispatch.wait_for_wake(submission.job_ticket, seconds=seconds or settings.RESULT_WAIT_SECONDS)
        except dispatch.BrokerAway:
            return submission
    return _read_again(submission)


@contextmanager
def _place_to_wait() -> Iterator[bool]:
    places = _places()
    is_free = places.acquire(blocking=False)
    try:
        yield is_free
    finally:
        if is_free:
            places.release()


@cache
def _places() -> BoundedSemaphore:
    return BoundedSemaphore(settings.RESULT_WAITERS)


def _read_again(submission: Submission) -> Submission:
    related = Submission.objects.select_related(
        "attempt__enrollment__course",
        "attempt__enrollment__user",
        "attempt__item__lesson",
        "attempt__item_version",
        "standing_mark",
    )
    return related.get(pk=submission.pk)
