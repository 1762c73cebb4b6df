"""A code submission on its real way: the site worker and the sandbox worker run as processes of their own."""

from __future__ import annotations

import codecs
import os
import signal
import sys
import time
from collections.abc import Callable, Iterator
from datetime import timedelta
from pathlib import Path
from urllib.parse import urlsplit

import numpy as np
import pytest
from django.db import connection
from pytest_django import DjangoDbBlocker

from exercises import dispatch
from exercises.enums import GradingProgress, MarkedBy, RegradeAction, RegradeState, Verdict
from exercises.models import Mark, Regrade, Run, Submission
from exercises.queries.regrades import regrade_changes
from exercises.queries.run_view import run_view
from exercises.services.code_text import code_from_file
from exercises.services.job_limit import TooManyPending
from exercises.services.job_send import job_send
from exercises.services.regrade_decide import regrade_apply, regrade_begin
from exercises.services.run_create import run_create
from exercises.services.run_wait import run_wait
from exercises.services.submission_create import submission_create
from exercises.services.submission_wait import submission_wait
from exercises.services.sweep_stuck import Swept, sweep_stuck
from grader import sandbox
from grader.marking.mark import Mark as Marking
from grader.marking.run_report import CaseState
from qkvcourse.celery import app
from qkvcourse.serve import processes
from tests.exercises.mended import mended
from tests.exercises.responses import RIGHT_CODE, WRONG_CODE
from tests.factories import SubmissionFactory

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.jail]

PATIENCE_SECONDS = 30
START_SECONDS = 60


@pytest.fixture(scope="module")
def workers(
    valkey_url: str, tmp_path_factory: pytest.TempPathFactory, django_db_setup: None, django_db_blocker: DjangoDbBlocker
) -> Iterator[list[Path]]:
    """Both workers, their logs as detailed as can be, on this process's own broker and test database. They end before another module looks at its queues."""
    if sandbox.describe().tier < 1:
        pytest.skip("no tier of the sandbox holds here: `python -m grader.sandbox check` says why")
    directory = tmp_path_factory.mktemp("workers")
    environment = {**os.environ, "REDIS_URL": valkey_url, "SANDBOX_MIN_TIER": "1", "LOG_LEVEL": "DEBUG"}
    with django_db_blocker.unblock():
        site_environment = {**environment, **database_of_the_test(directory)}
    # The sandbox worker has no Django, and so Celery's own way of logging.
    without_django = {name: value for name, value in environment.items() if name != "DJANGO_SETTINGS_MODULE"}
    programs = [
        worker("grader.worker", "interactive", without_django),
        worker("qkvcourse", "results,site", site_environment),
    ]
    logs = [directory / f"{program.name}.log" for program in programs]
    started = []
    for program, log in zip(programs, logs, strict=True):
        with log.open("wb") as output:
            started.append(processes.start(program, output=output.fileno()))
    wait_until(lambda: answering() == 2, seconds=START_SECONDS)
    yield logs
    for service in started:
        processes.stop(service)


def worker(application: str, queues: str, environment: dict[str, str]) -> processes.Program:
    return processes.Program(
        name=application,
        command=[
            *(sys.executable, "-W", "ignore", "-m", "celery", "--quiet", "-A", application, "worker"),
            *("-P", "prefork", "-c", "1", "-Q", queues, "--without-mingle", "--without-gossip"),
            *("--loglevel", "DEBUG", f"--hostname={application}@test"),
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
    waiting = submission_wait(submission=submitted.submission, seconds=60)
    assert time.monotonic() - start < 30
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


def ran(run: Run) -> Run:
    wait_until(lambda: run_wait(run=run).settled_at is not None)
    return run


def test_a_run_of_the_visible_cases_comes_back_and_is_no_try(workers, broker, ada, attempt):
    run = ran(run_create(attempt=attempt(ada, "program"), code=f"print('loaded')\n{RIGHT_CODE}"))
    report = run_view(run).report
    assert (report.status, [case.state for case in report.cases]) == ("returned", [CaseState.RIGHT] * len(report.cases))
    assert (len(report.cases) > 0, report.stdout, Submission.objects.count()) == (True, "loaded\n", 0)


def test_a_call_of_ones_own_comes_back_with_what_it_came_to(workers, broker, ada, attempt):
    code = f"import numpy as np\n{RIGHT_CODE}"
    run = ran(run_create(attempt=attempt(ada, "program"), code=code, call="project(np.eye(2), np.ones((2, 2)))"))
    assert run_view(run).report.result == repr(np.ones((2, 2)))


@pytest.mark.parametrize(
    "code",
    [
        f"\ufeff{RIGHT_CODE}".replace("\n", "\r\n"),
        RIGHT_CODE.replace("\n", "\r"),
        code_from_file(codecs.BOM_UTF16_LE + f"# 计算\n{RIGHT_CODE}".encode("utf-16-le")),
        code_from_file(f"# 计算\n{RIGHT_CODE}".encode("gbk")),
        code_from_file(f"# -*- coding: gbk -*-\n# 计算\n{RIGHT_CODE}".encode("gbk")),
        f"# -*- coding: gbk -*-\n# 计算\n{RIGHT_CODE}",
    ],
    ids=["mark and CRLF", "CR only", "UTF-16", "GBK unsaid", "GBK said", "said, and pasted"],
)
def test_right_code_of_any_editor_is_right(workers, broker, ada, attempt, code):
    submitted = submission_create(attempt=attempt(ada, "program"), raw_response={"code": code})
    assert settled(submitted.submission).standing_mark.verdict == Verdict.CORRECT


def test_mixed_indentation_is_named_with_its_line_and_no_try(workers, broker, ada, attempt):
    code = "def project(x, W):\n    if True:\n\ty = x @ W\n        return y\n"
    found = settled(submission_create(attempt=attempt(ada, "program"), raw_response={"code": code}).submission)
    (finding,) = Marking.from_json(found.standing_mark.feedback).findings
    assert (found.counted, "4" in finding.text.en or "3" in finding.text.en) == (False, True)


def test_a_regrade_runs_programs_again_by_the_new_version_shows_what_changes_and_applies_it_once(
    workers, broker, ada, ben, ines, course, item, attempt
):
    hers, his = (
        settled(submission_create(attempt=attempt(user, "program"), raw_response={"code": code}).submission)
        for user, code in ((ada, RIGHT_CODE), (ben, WRONG_CODE))
    )

    def weigh(definition):
        definition["steps"] = {"logits": "project_rows(x, W)", "q": "softmax(logits)"}

    newer = mended(item("program"), weigh)
    regrade = regrade_begin(
        instructor=ines, course=course, item=newer, action=RegradeAction.REMARK, reason="It asks for weights."
    )
    wait_until(lambda: Regrade.objects.get().state == RegradeState.READY)
    (change,) = regrade_changes(regrade, first=0, count=10)
    assert (change.name, change.score, change.new_score, change.new_verdict) == ("Ada", 3, 0, Verdict.INCORRECT)
    assert [said.en for said in change.says] == ["The result is wrong"]
    assert Mark.objects.count() == 2

    assert regrade_apply(instructor=ines, regrade=regrade)
    wait_until(lambda: Regrade.objects.get().state == RegradeState.DONE)
    done = Regrade.objects.get().stepped_at
    assert not regrade_apply(instructor=ines, regrade=regrade)
    app.send_task(dispatch.STEP_REGRADE, args=[regrade.pk], queue=dispatch.SITE)
    wait_until(lambda: Regrade.objects.get().stepped_at > done)
    for submission in (hers, his):
        submission.refresh_from_db()
    assert (hers.standing_mark.by, hers.standing_mark.score) == (MarkedBy.REGRADE, 0)
    assert (his.standing_mark.by, Mark.objects.count()) == (MarkedBy.AUTO, 3)


def test_fifty_endless_loops_of_one_learner_do_not_hold_the_class_up(workers, broker, ada, ben, attempt):
    """One worker, and Ada sends as fast as she can, runs and submissions in turn, until Ben has his mark."""
    hers, sent, refused = attempt(ada, "program"), 0, 0
    for number in range(50):
        try:
            loop = f"while True: pass  # {number}"
            if number % 2:
                run_create(attempt=hers, code=loop)
            else:
                submission_create(attempt=hers, raw_response={"code": loop})
            sent += 1
        except TooManyPending:
            refused += 1
    start = time.monotonic()
    his = submission_create(attempt=attempt(ben, "program"), raw_response={"code": RIGHT_CODE}).submission
    found = settled(his)
    assert (sent, refused) == (2, 48)
    assert (found.standing_mark.verdict, found.sends) == (Verdict.CORRECT, 1)
    # Two loops before him, each stopped at its limit and believed at the second time.
    assert time.monotonic() - start < PATIENCE_SECONDS
    for run in Run.objects.all():
        ran(run)
    for submission in Submission.objects.filter(attempt=hers):
        assert settled(submission).standing_mark.verdict == Verdict.INCORRECT


def test_no_log_of_a_worker_holds_what_a_learner_wrote_printed_or_got_back(workers, broker, ada, attempt, valkey):
    """At the most talkative level, and for messages that no worker can use as well."""
    secret = "kept_to_myself"
    code = f"# {secret}\nprint('{secret} printed')\ndef project(x, W):\n    raise RuntimeError('{secret} raised')\n"
    hers = attempt(ada, "program")
    found = settled(submission_create(attempt=hers, raw_response={"code": code}).submission)
    run = ran(run_create(attempt=hers, code=f"{RIGHT_CODE}# {secret}", call=f"'{secret}' * 2"))
    for queue in (dispatch.INTERACTIVE, dispatch.SITE):
        app.send_task("unheard.of", args=[{"code": secret}], queue=queue)
        wait_until(lambda queue=queue: valkey.llen(queue) == 0)

    sandbox_log, site_log = workers
    wait_until(lambda: all("Received unregistered task of type" in log.read_text() for log in workers))
    assert f"done: ticket={found.ticket[:8]} failure=None" in sandbox_log.read_text()
    assert f"done: ticket={run.ticket[:8]} failure=None" in sandbox_log.read_text()
    assert "succeeded in" in sandbox_log.read_text()
    for log in (sandbox_log, site_log):
        assert secret not in log.read_text()
