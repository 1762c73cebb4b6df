from __future__ import annotations

import base64
import json
from datetime import timedelta

import pytest
from django.utils import timezone

from exercises import dispatch
from exercises.enums import GradingProgress
from exercises.models import Mark
from exercises.services.job_send import job_send
from exercises.services.outcome_record import LOST, outcome_record
from exercises.services.sweep_stuck import MOST_SENDS, Swept, sweep_stuck
from tests.exercises.outcomes import marked
from tests.factories import SubmissionFactory


@pytest.fixture
def job(ada, attempt, broker):
    """A job that was sent a while ago, with other columns where a test says so."""

    def make(**columns):
        return SubmissionFactory(attempt=attempt(ada, "program"), **columns)

    return make


def ago(**time):
    return timezone.now() - timedelta(**time)


def test_a_lost_job_is_sent_again_under_the_same_ticket(job, valkey):
    lost = job()
    ticket, sent_at = lost.ticket, lost.sent_at
    assert sweep_stuck() == Swept(sent=1)
    lost.refresh_from_db()
    assert (lost.ticket, lost.sends, lost.sent_at > sent_at) == (ticket, 2, True)
    assert lost.grading_progress == GradingProgress.PENDING
    assert ticket in base64_body(valkey.lindex("interactive", 0))


def test_a_job_that_was_never_sent_is_sent(job, valkey):
    unsent = job(sends=0, sent_at=None, created_at=ago(seconds=10))
    assert sweep_stuck() == Swept(sent=1)
    unsent.refresh_from_db()
    assert unsent.sends == 1
    assert valkey.llen("interactive") == 1


def test_a_job_that_a_request_is_just_sending_is_left_alone(job):
    job(sends=0, sent_at=None)
    assert sweep_stuck() == Swept()


def test_a_job_that_a_worker_holds_is_left_alone(job, valkey):
    held = job()
    valkey.set(f"held:{held.ticket}", "1")
    assert sweep_stuck() == Swept()


def test_a_job_that_was_sent_just_now_is_left_alone(job):
    job(sent_at=ago(seconds=5))
    assert sweep_stuck() == Swept()


def test_a_long_queue_is_no_reason_to_send_again(job, valkey):
    waiting = [job(sends=0, sent_at=None) for _ in range(3)]
    for each in waiting:
        job_send(submission=each)
    age_message_and_row(valkey, waiting, minutes=10)
    assert sweep_stuck() == Swept()
    assert valkey.llen("interactive") == 3


def test_a_job_sent_before_the_oldest_waiting_message_was_taken_and_lost(job, valkey):
    lost = job(sent_at=ago(minutes=11))
    waiting = job(sends=0, sent_at=None)
    job_send(submission=waiting)
    age_message_and_row(valkey, [waiting], minutes=10)
    assert sweep_stuck() == Swept(sent=1)
    lost.refresh_from_db()
    assert lost.sends == 2


def test_outcomes_that_wait_to_be_recorded_put_the_search_off(job, valkey):
    job()
    unsent = job(sends=0, sent_at=None, created_at=ago(seconds=10))
    valkey.lpush("results", "{}")
    assert sweep_stuck() == Swept(sent=1)
    unsent.refresh_from_db()
    assert unsent.sends == 1


def test_a_job_lost_three_times_fails_by_our_fault(job):
    lost = job(sends=MOST_SENDS)
    assert sweep_stuck() == Swept(failed=1)
    lost.refresh_from_db()
    assert (lost.grading_progress, lost.failure, lost.counted) == (GradingProgress.FAILED, LOST, False)
    assert dispatch.wait_for_wake(lost.ticket, seconds=1)
    assert sweep_stuck() == Swept()


def test_however_often_it_is_sent_a_job_ends_in_one_mark(job):
    lost = job()
    sweep_stuck()
    assert [outcome_record(outcome=marked(lost)) for _ in range(2)] == [True, False]
    assert Mark.objects.count() == 1
    assert sweep_stuck() == Swept()


def test_two_sweeps_at_once_send_once(job, valkey):
    seen_by_both = job()
    assert [job_send(submission=seen_by_both) for _ in range(2)] == [True, False]
    assert valkey.llen("interactive") == 1


def test_a_sweep_without_a_broker_changes_nothing(ada, attempt, broker_away):
    lost = SubmissionFactory(attempt=attempt(ada, "program"))
    assert sweep_stuck() == Swept()
    lost.refresh_from_db()
    assert lost.sends == 1


def base64_body(message):
    return base64.b64decode(json.loads(message)["body"]).decode()


def age_message_and_row(valkey, submissions, *, minutes):
    """As if the messages had been waiting in the queue for so long."""
    for submission in submissions:
        submission.refresh_from_db()
        submission.sent_at -= timedelta(minutes=minutes)
        submission.save()
    for place in range(valkey.llen("interactive")):
        message = json.loads(valkey.lindex("interactive", place))
        sent_at = timezone.datetime.fromisoformat(message["headers"]["sent_at"])
        message["headers"]["sent_at"] = (sent_at - timedelta(minutes=minutes)).isoformat()
        valkey.lset("interactive", place, json.dumps(message))
