"""A code submission on its real way: the site worker and the sandbox worker run as processes of their own."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from datetime import timedelta
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from django.db import connection
from pytest_django import DjangoDbBlocker

from exercises import dispatch
from exercises.enums import GradingProgress, Verdict
from exercises.models import Mark, Submission
from exercises.services.job_send import job_send
from exercises.services.submission_create import submission_create
from exercises.services.submission_wait import submission_wait
from exercises.services.sweep_stuck import Swept, sweep_stuck
from grader import sandbox
from qkvcourse.celery import app
from qkvcourse.serve import processes
from tests.exercises.responses import RIGHT_CODE
from tests.factories import SubmissionFactory

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.jail]

PATIENCE_SECONDS = 30
START_SECONDS = 60


@pytest.fixture(scope="module")
def workers(
    valkey_url: str, tmp_path_factory: pytest.TempPathFactory, django_db_setup: None, django_db_blocker: DjangoDbBlocker
) -> Iterator[None]:
    """Both workers, on this process's own broker and test database. They end before another module looks at its queues."""
    if sandbox.describe().tier < 1:
        pytest.skip("no tier of the sandbox holds here: `python -m grader.sandbox check` says why")
    directory = tmp_path_factory.mktemp("workers")
    environment = {**os.environ, "REDIS_URL": valkey_url, "SANDBOX_MIN_TIER": "1"}
    with django_db_blocker.unblock():
        site_environment = {**environment, **database_of_the_test(directory)}
    started = [
        processes.start(worker("grader.worker", "interactive", environment), output=subprocess.DEVNULL),
        processes.start(worker("qkvcourse", "results,site", site_environment), output=subprocess.DEVNULL),
    ]
    wait_until(lambda: answering() == 2, seconds=START_SECONDS)
    yield
    for service in started:
        processes.stop(service)


def worker(application: str, queues: str, environment: dict[str, str]) -> processes.Program:
    return processes.Program(
        name=application,
        command=[
            *(sys.executable, "-W", "ignore", "-m", "celery", "--quiet", "-A", application, "worker"),
            *("-P", "prefork", "-c", "1", "-Q", queues, "--without-mingle", "--without-gossip"),
            f"--hostname={application}@test",
        ],
        environment=environment,
        # Nothing is running by then that is worth waiting for.
        stop_signal=signal.SIGQUIT,
    )


def database_of_the_test(directory: Path) -> dict[str, str]:
    """What leads another process to the very database that the tests use."""
    name = connection.settings_dict["NAME"]
    if connection.vendor == "sqlite":
        (directory / "site.sqlite3").symlink_to(name)
        return {"QKV_DATA_DIR": str(directory)}
    address = urlsplit(os.environ["DATABASE_URL"])
    return {"DATABASE_URL": address._replace(path=f"/{name}").geturl()}


def answering() -> int:
    return len(app.control.ping(timeout=0.5))


def wait_until(is_true: Callable[[], bool], *, seconds: float = PATIENCE_SECONDS) -> None:
    end = time.monotonic() + seconds
    while not is_true():
        assert time.monotonic() < end, "waited too long"
        time.sleep(0.05)


def settled(submission: Submission) -> Submission:
    wait_until(lambda: submission_wait(submission=submission).grading_progress != GradingProgress.PENDING)
    return submission_wait(submission=submission)


def test_right_code_is_marked_while_the_request_waits(workers, broker, ada, attempt):
    submitted = submission_create(attempt=attempt(ada, "program"), raw_response={"code": RIGHT_CODE})
    found = settled(submitted.submission)
    assert (found.grading_progress, found.counted, found.sends) == (GradingProgress.FULLY_GRADED, True, 1)
    assert (found.standing_mark.verdict, found.standing_mark.score) == (Verdict.CORRECT, 3)


def test_a_syntax_error_is_marked_and_no_try(workers, broker, ada, attempt):
    submitted = submission_create(attempt=attempt(ada, "program"), raw_response={"code": "def project(x, W:\n"})
    found = settled(submitted.submission)
    assert (found.grading_progress, found.counted) == (GradingProgress.FULLY_GRADED, False)


def test_a_broker_that_was_away_delays_the_mark_and_loses_nothing(workers, broker, ada, attempt, settings):
    here, settings.CELERY_BROKER_URL = settings.CELERY_BROKER_URL, "redis://127.0.0.1:1/0"
    start = time.monotonic()
    submitted = submission_create(attempt=attempt(ada, "program"), raw_response={"code": RIGHT_CODE})
    waiting = submission_wait(submission=submitted.submission)
    assert time.monotonic() - start < 3
    assert (waiting.grading_progress, waiting.sent_at) == (GradingProgress.PENDING, None)
    settings.CELERY_BROKER_URL = here
    Submission.objects.update(created_at=waiting.created_at - timedelta(minutes=1))
    assert sweep_stuck() == Swept(sent=1)
    assert settled(waiting).standing_mark.verdict == Verdict.CORRECT


def test_a_lost_job_is_found_by_the_site_workers_sweep_and_marked_once(workers, broker, ada, attempt):
    lost = SubmissionFactory(attempt=attempt(ada, "program"), raw_response={"code": RIGHT_CODE})
    app.send_task(dispatch.SWEEP_STUCK, queue=dispatch.SITE)
    found = settled(lost)
    assert (found.standing_mark.verdict, found.sends) == (Verdict.CORRECT, 2)
    assert Mark.objects.count() == 1


def test_a_job_that_runs_twice_is_marked_once(workers, broker, ada, attempt, valkey):
    twice = SubmissionFactory(attempt=attempt(ada, "program"), raw_response={"code": RIGHT_CODE})
    assert job_send(submission=twice)
    twice.refresh_from_db()
    assert job_send(submission=twice) or Mark.objects.count() == 1
    assert settled(twice).standing_mark.verdict == Verdict.CORRECT
    wait_until(lambda: valkey.llen(dispatch.INTERACTIVE) + valkey.llen(dispatch.RESULTS) == 0)
    assert Mark.objects.count() == 1
