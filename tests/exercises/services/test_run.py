"""A run from its button to its report: what is kept, what is refused, and what counts towards the two of one learner."""

from __future__ import annotations

import base64
import json
from datetime import datetime, timedelta

import pytest
from django.utils import timezone

from exercises import dispatch, tasks
from exercises.models import Run, Submission
from exercises.queries.queue_place import RUN_LIFE, programs_before
from exercises.queries.run_view import TIME_TO_RETURN, RunStage, run_view
from exercises.queries.submission_view import submission_view
from exercises.services.job_limit import LONGEST_PAUSE_SECONDS, TooManyPending, seconds_until_free
from exercises.services.run_create import run_create
from exercises.services.run_record import run_record
from exercises.services.run_wait import run_wait
from exercises.services.submission_create import submission_create
from exercises.services.sweep_stuck import RUN_KEPT, sweep_stuck
from grader.marking.response import ResponseError
from tests.exercises.outcomes import broken_run, reported
from tests.exercises.responses import RIGHT_CODE
from tests.factories import SubmissionFactory


@pytest.fixture
def mine(ada, attempt, broker):
    return attempt(ada, "program")


def test_a_run_is_queued_with_its_call_its_end_and_its_return_address(mine, valkey):
    run = run_create(attempt=mine, code=f"\ufeff{RIGHT_CODE}", call=" project(1, 2)\r\n")
    message = json.loads(valkey.lindex(dispatch.INTERACTIVE, 0))
    (job,), _keywords, embedded = json.loads(base64.b64decode(message["body"]))
    assert job == {
        "ticket": run.ticket,
        "definition": mine.item_version.definition,
        "code": RIGHT_CODE,
        "call": "project(1, 2)",
    }
    assert message["headers"]["task"] == dispatch.RUN_CODE
    assert datetime.fromisoformat(message["headers"]["expires"]) == run.created_at + RUN_LIFE
    assert datetime.fromisoformat(message["headers"]["sent_at"]) == run.created_at
    (back,) = embedded["callbacks"]
    assert (back["task"], back["options"]["queue"]) == (dispatch.RECORD_RUN, dispatch.RESULTS)


def test_what_was_sent_earlier_and_is_not_done_is_before_a_run(mine):
    first, second, third = (run_create_at(mine, seconds) for seconds in (30, 20, 10))
    assert [programs_before(run.created_at) for run in (first, second, third)] == [0, 1, 2]
    assert run_view(third).before == 2
    second.settled_at = timezone.now()
    second.save()
    assert run_view(third).before == 1
    waiting = SubmissionFactory(attempt=mine, sent_at=timezone.now())
    assert submission_view(waiting).before == 2
    assert programs_before(third.created_at + timedelta(minutes=3)) == 3
    Run.objects.update(created_at=timezone.now() - RUN_LIFE)
    assert submission_view(waiting).before == 0


def run_create_at(attempt, seconds_ago):
    return Run.objects.create(
        attempt=attempt, code="", ticket=f"{seconds_ago}", created_at=timezone.now() - timedelta(seconds=seconds_ago)
    )


def test_a_run_is_no_try(mine):
    run_create(attempt=mine, code=RIGHT_CODE)
    assert Submission.objects.count() == 0


@pytest.mark.parametrize("code", ["", " \n", "x = '\0'", "#" * 65_537])
def test_code_that_cannot_be_taken_is_not_run(mine, code):
    with pytest.raises(ResponseError):
        run_create(attempt=mine, code=code)
    assert Run.objects.count() == 0


@pytest.mark.parametrize("call", ["x" * 2001, "f('\x1a')"])
def test_a_call_that_cannot_be_taken_is_not_run(mine, call):
    with pytest.raises(ResponseError):
        run_create(attempt=mine, code=RIGHT_CODE, call=call)


def test_runs_and_submissions_share_the_two_places(mine):
    run = run_create(attempt=mine, code=RIGHT_CODE)
    submission_create(attempt=mine, raw_response={"code": RIGHT_CODE})
    for third in (
        lambda: run_create(attempt=mine, code=RIGHT_CODE),
        lambda: submission_create(attempt=mine, raw_response={"code": f"{RIGHT_CODE}#"}),
    ):
        with pytest.raises(TooManyPending):
            third()
    run_record(outcome=reported(run))
    assert run_create(attempt=mine, code=RIGHT_CODE).settled_at is None


def test_a_run_that_nobody_began_in_its_life_takes_no_place(mine):
    for _ in range(2):
        run_create(attempt=mine, code=RIGHT_CODE)
    Run.objects.update(created_at=timezone.now() - RUN_LIFE)
    assert run_create(attempt=mine, code=RIGHT_CODE).pk


def test_the_time_to_wait_grows_with_the_queue_and_has_an_end(valkey, broker):
    assert seconds_until_free() == 5
    valkey.lpush(dispatch.INTERACTIVE, *["job"] * 10)
    assert seconds_until_free() == 15
    valkey.lpush(dispatch.INTERACTIVE, *["job"] * 100)
    assert seconds_until_free() == LONGEST_PAUSE_SECONDS


def test_the_time_to_wait_is_told_without_a_broker(broker_away):
    assert seconds_until_free() == 5


def test_without_a_broker_nothing_is_run_and_nothing_kept(ada, attempt, broker_away):
    with pytest.raises(dispatch.BrokerAway):
        run_create(attempt=attempt(ada, "program"), code=RIGHT_CODE)
    assert Run.objects.count() == 0


def test_a_report_ends_the_wait_and_is_kept_once(mine):
    run = run_create(attempt=mine, code=RIGHT_CODE)
    tasks.record_run(reported(run, stdout="hello\0"))
    tasks.record_run(reported(run, stdout="twice"))
    view = run_view(run_wait(run=Run.objects.get(), seconds=1))
    assert (view.stage, view.report.stdout, view.settled_at is not None) == (RunStage.DONE, "hello␀", True)
    assert not view.is_waiting


@pytest.mark.parametrize(
    ("report", "failure", "told"),
    [
        (None, "sandbox_unavailable", "sandbox_unavailable"),
        (None, 7, "malformed_outcome"),
        ({"cases": 3}, None, "malformed_outcome"),
        ("x", "", ""),
        ([[[[[[[[[[[[[[1]]]]]]]]]]]]]], None, "malformed_outcome"),
    ],
)
def test_what_makes_no_sense_is_our_failure(mine, report, failure, told):
    run = run_create(attempt=mine, code=RIGHT_CODE)
    assert run_record(outcome={"ticket": run.ticket, "report": report, "failure": failure})
    view = run_view(Run.objects.get())
    assert (view.stage, view.failure, view.report) == (RunStage.FAILED, told, None)


@pytest.mark.parametrize(
    ("shape", "stage"), [([1], RunStage.DONE), ([10**12], RunStage.FAILED), ([-1, 1], RunStage.FAILED)]
)
def test_an_array_of_another_size_than_its_numbers_is_not_shown(mine, shape, stage):
    run = run_create(attempt=mine, code=RIGHT_CODE)
    outcome = reported(run)
    outcome["report"]["cases"][0]["given"] = [{"name": "x", "dtype": "float64", "shape": shape, "cells": ["1"]}]
    assert run_record(outcome=outcome)
    assert run_view(Run.objects.get()).stage is stage


def test_a_report_that_nobody_waits_for_changes_nothing(mine):
    run = run_create(attempt=mine, code=RIGHT_CODE)
    assert not run_record(outcome=reported(run) | {"ticket": "\0"})
    assert Run.objects.get().settled_at is None


def test_a_report_is_kept_when_the_broker_goes_away(mine, settings):
    run = run_create(attempt=mine, code=RIGHT_CODE)
    settings.REDIS_URL = "redis://127.0.0.1:1/0"
    assert run_record(outcome=broken_run(run))
    assert Run.objects.get().failure == "sandbox_internal_error"


def test_the_stage_of_a_run_is_told(mine, valkey):
    run = run_create(attempt=mine, code=RIGHT_CODE)
    assert run_view(run).stage is RunStage.QUEUED
    valkey.set(f"held:{run.ticket}", "1")
    assert run_view(run).stage is RunStage.RUNNING
    run.created_at -= RUN_LIFE + TIME_TO_RETURN
    assert run_view(run).stage is RunStage.LOST


def test_a_run_is_waited_for_without_a_broker(mine, broker_away):
    run = Run.objects.create(attempt=mine, code=RIGHT_CODE, ticket="t")
    assert run_view(run_wait(run=run)).stage is RunStage.QUEUED


def test_old_runs_are_forgotten(mine):
    old, new = (run_create(attempt=mine, code=RIGHT_CODE) for _ in range(2))
    Run.objects.filter(pk=old.pk).update(created_at=timezone.now() - RUN_KEPT - timedelta(seconds=1))
    sweep_stuck()
    assert Run.objects.get() == new
