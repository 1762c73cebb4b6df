"""Let a request wait a moment for a job of the sandbox worker, and wake it when the job is recorded."""

from __future__ import annotations

import logging
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from threading import BoundedSemaphore

from django.conf import settings

from exercises import dispatch

log = logging.getLogger(__name__)


def wake_wait(*, ticket: str, seconds: float | None = None) -> None:
    """Return when the job is recorded or the time is over, whichever comes first.

    It does not wait at all when half of the server's threads wait already: the page then asks again later.
    """
    with _place_to_wait() as is_free:
        if not is_free:
            return
        try:
            dispatch.wait_for_wake(ticket, seconds=seconds or settings.RESULT_WAIT_SECONDS)
        except dispatch.BrokerAway:
            return


def wake_up(*, ticket: str) -> None:
    """Let the requests that wait for this job go on; without the broker their pages ask again."""
    try:
        dispatch.wake(ticket)
    except dispatch.BrokerAway:
        log.warning("broker away, the page will ask again: ticket=%s", ticket[:8])


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
