from __future__ import annotations

import base64
import json
import time
from datetime import UTC, datetime, timedelta

import pytest

from exercises import dispatch, tasks
from grader import tasks as grader_tasks
from qkvcourse.celery import app

JOB = dispatch.GradeCodeJob(ticket="t1", definition={"slug": "program"}, seed=7, code="x = 1")
RUN = dispatch.RunCodeJob(ticket="t1", definition={"slug": "program"}, code="x = 1", call="x")
NOON = datetime(2026, 3, 1, 12, tzinfo=UTC)

QUESTIONS = {
    "send": lambda: dispatch.send_grade_code(JOB, sent_at=NOON),
    "run": lambda: dispatch.send_run_code(RUN, sent_at=NOON, expires_at=NOON),
    "figures": lambda: dispatch.send_refresh_figures(1, "overview", expires=timedelta(minutes=1)),
    "jobs": dispatch.jobs_waiting,
    "tiers": dispatch.sandbox_tiers,
    "oldest": dispatch.oldest_waiting_sent_at,
    "outcomes": dispatch.outcomes_waiting,
    "held": lambda: dispatch.is_held("t1"),
    "wake": lambda: dispatch.wake("t1"),
    "wait": lambda: dispatch.wait_for_wake("t1", seconds=0.2),
}


def test_the_names_are_those_of_registered_tasks():
    names = [tasks.record_outcome.name, tasks.record_run.name, tasks.sweep_stuck.name, tasks.forget_guests.name]
    assert names == [dispatch.RECORD_OUTCOME, dispatch.RECORD_RUN, dispatch.SWEEP_STUCK, dispatch.FORGET_GUESTS]
    figures = [tasks.refresh_figures.name, tasks.warm_figures.name]
    assert figures == [dispatch.REFRESH_FIGURES, dispatch.WARM_FIGURES]
    grading = [grader_tasks.grade_code.name, grader_tasks.run_code.name]
    assert grading == [dispatch.GRADE_CODE, dispatch.RUN_CODE]
    assert (tasks.send_digests.name, tasks.forget_drafts.name) == (dispatch.SEND_DIGESTS, dispatch.FORGET_DRAFTS)
    assert tasks.tell_released.name == dispatch.TELL_RELEASED
    assert [entry["task"] for entry in app.conf.beat_schedule.values()] == [
        dispatch.FORGET_DRAFTS,
        dispatch.SEND_DIGESTS,
        dispatch.TELL_RELEASED,
        dispatch.FORGET_GUESTS,
        dispatch.WARM_FIGURES,
        dispatch.SWEEP_STUCK,
    ]


def test_a_job_is_queued_with_its_return_address(valkey):
    dispatch.send_grade_code(JOB, sent_at=NOON)
    message = json.loads(valkey.lindex(dispatch.INTERACTIVE, 0))
    arguments, _keywords, embedded = json.loads(base64.b64decode(message["body"]))
    assert (message["headers"]["task"], arguments) == (dispatch.GRADE_CODE, [JOB])
    (back,) = embedded["callbacks"]
    assert (back["task"], back["options"]["queue"]) == (dispatch.RECORD_OUTCOME, dispatch.RESULTS)


def test_the_oldest_waiting_job_is_the_one_that_is_taken_next(valkey):
    assert dispatch.oldest_waiting_sent_at() is None
    for minutes in (0, 1, 2):
        dispatch.send_grade_code(JOB, sent_at=NOON + timedelta(minutes=minutes))
    assert dispatch.oldest_waiting_sent_at() == NOON
    valkey.rpop(dispatch.INTERACTIVE)
    assert dispatch.oldest_waiting_sent_at() == NOON + timedelta(minutes=1)


@pytest.mark.parametrize("message", ["", "{}", '{"headers": {}}', '{"headers": {"sent_at": 7}}', "[]"])
def test_a_message_of_somebody_elses_tells_no_time(valkey, message):
    valkey.lpush(dispatch.INTERACTIVE, message)
    with pytest.raises(dispatch.BrokerAway):
        dispatch.oldest_waiting_sent_at()


def test_a_job_is_held_as_long_as_its_key_lives(valkey):
    assert not dispatch.is_held("t1")
    valkey.set("held:t1", "1", ex=600)
    assert dispatch.is_held("t1")
    valkey.pexpire("held:t1", 1)
    time.sleep(0.05)
    assert not dispatch.is_held("t1")


def test_waiting_jobs_are_counted(valkey):
    assert dispatch.jobs_waiting() == 0
    dispatch.send_grade_code(JOB, sent_at=NOON)
    assert dispatch.jobs_waiting() == 1


def test_the_tier_of_each_living_worker_is_told(valkey):
    assert dispatch.sandbox_tiers() == []
    valkey.mset({"heartbeat:one": "3", "heartbeat:two": "0", "heartbeat:odd": "x", "held:t1": "1"})
    assert sorted(dispatch.sandbox_tiers()) == [0, 3]


def test_outcomes_are_counted(valkey):
    assert dispatch.outcomes_waiting() == 0
    valkey.lpush(dispatch.RESULTS, "a", "b")
    assert dispatch.outcomes_waiting() == 2


def test_the_wake_up_comes_before_or_after_the_wait_and_does_not_stay_for_ever(valkey):
    dispatch.wake("t1")
    assert dispatch.wait_for_wake("t1", seconds=1)
    assert 0 < valkey.ttl("wake:t1") <= dispatch.WAKE_KEY_SECONDS
    assert not dispatch.wait_for_wake("t2", seconds=0.1)


@pytest.mark.parametrize("question", QUESTIONS)
def test_a_broker_that_is_away_is_noticed_at_once(broker_away, question):
    start = time.monotonic()
    with pytest.raises(dispatch.BrokerAway):
        QUESTIONS[question]()
    assert time.monotonic() - start < 10


@pytest.mark.parametrize("question", QUESTIONS)
def test_a_broker_that_says_nothing_is_given_up_in_time(broker_silent, question):
    start = time.monotonic()
    with pytest.raises(dispatch.BrokerAway):
        QUESTIONS[question]()
    assert time.monotonic() - start < 20


def test_a_restarted_broker_is_found_again(valkey):
    dispatch.send_grade_code(JOB, sent_at=NOON)
    valkey.client_kill_filter(_type="normal", skipme=True)
    dispatch.send_grade_code(JOB, sent_at=NOON)
    assert valkey.llen(dispatch.INTERACTIVE) == 2
