"""The same learner in several tabs at the same moment, on a database that is really shared."""

from __future__ import annotations

import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier

import pytest
from django.db import connection, transaction

from exercises.models import Attempt, Mark, Submission
from exercises.services.attempt_start import attempt_start
from exercises.services.job_limit import TooManyPending
from exercises.services.outcome_record import outcome_record
from exercises.services.submission_create import submission_create
from exercises.services.sweep_stuck import Swept, sweep_stuck
from tests.exercises.outcomes import marked
from tests.exercises.responses import right_numbers
from tests.factories import EnrollmentFactory, SubmissionFactory

pytestmark = pytest.mark.django_db(transaction=True)

TABS = 5


def at_once(act: Callable[[int], object]) -> list[object]:
    """What `act` returns, or the exception it raises, in each of some threads that start together."""
    start = Barrier(TABS)

    def one(number: int) -> object:
        start.wait()
        try:
            return act(number)
        except Exception as error:  # noqa: BLE001 -- what went wrong is what the test compares
            return error
        finally:
            connection.close()

    with ThreadPoolExecutor(TABS) as tabs:
        return list(tabs.map(one, range(TABS)))


def test_a_first_visit_in_five_tabs_starts_one_attempt(ada, enrollment_of, item):
    enrollment, program = enrollment_of(ada), item("program")
    started = at_once(lambda _tab: attempt_start(enrollment=enrollment, item=program).pk)
    assert set(started) == {Attempt.objects.get().pk}


def test_the_same_answer_five_times_is_one_submission(ada, attempt):
    mine = attempt(ada, "by-hand")
    response = right_numbers(mine)
    sent = at_once(lambda _tab: submission_create(attempt=mine, raw_response=response).is_repeat)
    assert sorted(sent) == [False, True, True, True, True]
    assert (Submission.objects.count(), Mark.objects.count()) == (1, 1)


def test_a_class_that_sends_while_the_database_is_busy_waits_and_loses_nothing(course, attempt):
    attempts = [attempt(EnrollmentFactory(course=course).user, "by-hand") for _ in range(TABS)]

    def send(seat: int) -> bool:
        if seat == 0:
            with transaction.atomic():  # on SQLite this holds the only write lock
                time.sleep(1)
        return submission_create(attempt=attempts[seat], raw_response=right_numbers(attempts[seat])).is_repeat

    assert at_once(send) == [False] * TABS
    assert Mark.objects.filter(score=2).count() == TABS


def test_of_five_programs_at_once_two_are_taken(ada, attempt, broker):
    mine = attempt(ada, "program")

    def send(tab: int) -> str:
        try:
            submission_create(attempt=mine, raw_response={"code": f"x = {tab}"})
        except TooManyPending:
            return "wait"
        return "taken"

    assert sorted(at_once(send)) == ["taken", "taken", "wait", "wait", "wait"]
    assert list(Submission.objects.values_list("sends", flat=True)) == [1, 1]


def test_five_outcomes_at_once_are_one_mark(ada, attempt, broker):
    submission = SubmissionFactory(attempt=attempt(ada, "program"))
    recorded = at_once(lambda score: outcome_record(outcome=marked(submission, score=score % 4)))
    assert sorted(recorded) == [False, False, False, False, True]
    assert Mark.objects.count() == 1


def test_five_sweeps_at_once_send_once(ada, attempt, valkey):
    SubmissionFactory(attempt=attempt(ada, "program"))
    swept = at_once(lambda _beat: sweep_stuck())
    assert sum(each.sent for each in swept if isinstance(each, Swept)) == 1
    assert valkey.llen("interactive") == 1
