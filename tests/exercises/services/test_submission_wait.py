from __future__ import annotations

import time
from threading import Thread

import pytest

from exercises import dispatch
from exercises.enums import GradingProgress
from exercises.models import Submission
from exercises.services import wake_wait as module
from exercises.services.submission_wait import submission_wait
from tests.factories import SubmissionFactory


@pytest.fixture
def waiting(ada, attempt, broker):
    return SubmissionFactory(attempt=attempt(ada, "program"))


def seconds_of(call) -> float:
    start = time.monotonic()
    call()
    return time.monotonic() - start


def test_the_outcome_ends_the_wait(waiting):
    def settle() -> None:
        time.sleep(0.2)
        dispatch.wake(waiting.ticket)

    waker = Thread(target=settle)
    waker.start()
    assert seconds_of(lambda: submission_wait(submission=waiting, seconds=60)) < 30
    waker.join()


def test_a_double_click_is_woken_too(waiting):
    dispatch.wake(waiting.ticket)
    assert [dispatch.wait_for_wake(waiting.ticket, seconds=1) for _ in range(3)] == [True, True, True]


def test_the_time_ends_the_wait(waiting):
    assert 0.2 < seconds_of(lambda: submission_wait(submission=waiting, seconds=0.3)) < 20
    assert submission_wait(submission=waiting, seconds=0.1).grading_progress == GradingProgress.PENDING


def test_what_is_settled_already_is_not_waited_for(waiting):
    Submission.objects.update(grading_progress=GradingProgress.FULLY_GRADED)
    assert seconds_of(lambda: submission_wait(submission=waiting, seconds=60)) < 30
    assert submission_wait(submission=waiting).grading_progress == GradingProgress.FULLY_GRADED


def test_what_the_broker_did_not_take_is_not_waited_for(waiting):
    Submission.objects.update(sent_at=None)
    assert seconds_of(lambda: submission_wait(submission=waiting, seconds=60)) < 30


def test_a_full_waiting_room_turns_the_next_one_away(waiting, settings):
    settings.RESULT_WAITERS = 1
    module._places.cache_clear()
    with module._place_to_wait() as is_free:
        assert is_free
        assert seconds_of(lambda: submission_wait(submission=waiting, seconds=60)) < 30
    assert module._places().acquire(blocking=False)
    module._places.cache_clear()


def test_a_broker_that_is_away_ends_the_wait(ada, attempt, broker_away):
    submission = SubmissionFactory(attempt=attempt(ada, "program"))
    assert seconds_of(lambda: submission_wait(submission=submission, seconds=60)) < 30
