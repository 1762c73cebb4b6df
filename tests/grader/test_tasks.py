"""The sandbox worker's task against a real Valkey: one mark for a job, however often its message comes."""

from __future__ import annotations

import base64
import json
import os
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from celery.exceptions import Ignore
from redis import Redis

from grader import tasks
from grader.grading import grade
from grader.sandbox import Sandbox, SandboxUnavailable
from qkvcourse.serve import processes
from tests.grader.samples import CODE, definition

ROOT = Path(__file__).resolve().parents[2]
TICKET = "5" * 64
RIGHT = "def project(x, W, b=None):\n    return x @ W if b is None else x @ W + b\n"
WORKER_SECONDS = 30.0


def job(code: str = RIGHT, ticket: str = TICKET) -> tasks.Job:
    return tasks.Job(ticket=ticket, definition=definition(CODE), seed=3, code=code)


@pytest.fixture
def valkey(broker: str, monkeypatch: pytest.MonkeyPatch) -> Iterator[Redis]:
    """The broker, known to the task by its environment alone."""
    monkeypatch.setenv("REDIS_URL", broker)
    tasks._redis.cache_clear()
    with Redis.from_url(broker, decode_responses=True) as client:
        yield client
    tasks._redis.cache_clear()


def is_let_go_soon(valkey: Redis) -> bool:
    """Whether the job alone is held, and no longer than its outcome takes to come back."""
    return valkey.keys() == [f"held:{TICKET}"] and 0 < valkey.ttl(f"held:{TICKET}") <= tasks.RETURNING_SECONDS


@pytest.fixture
def in_jail(jail: Sandbox, monkeypatch: pytest.MonkeyPatch) -> None:
    """The task uses the sandbox that all tests share."""
    monkeypatch.setattr(tasks, "_sandbox", lambda: jail)


@pytest.mark.jail
def test_outcome_carries_ticket_and_mark_and_the_hold_ends_soon(valkey: Redis, in_jail: None):
    outcome = tasks.grade_code(job())
    assert {key: outcome[key] for key in ("ticket", "counted", "failure")} == {
        "ticket": TICKET,
        "counted": True,
        "failure": None,
    }
    assert outcome["mark"]["verdict"] == "correct"
    assert json.loads(json.dumps(outcome)) == outcome
    assert 0 < valkey.ttl(f"held:{TICKET}") <= tasks.RETURNING_SECONDS


def test_second_copy_of_a_held_job_is_ignored_and_leaves_the_hold_alone(valkey: Redis):
    valkey.set(f"held:{TICKET}", "1", ex=30)
    with pytest.raises(Ignore):
        tasks.grade_code(job())
    assert valkey.keys() == [f"held:{TICKET}"]


def test_job_is_held_while_it_is_graded(valkey: Redis, monkeypatch: pytest.MonkeyPatch):
    seen: list[tuple[str, int]] = []

    def look() -> Sandbox:
        seen.extend((key, valkey.ttl(key)) for key in valkey.scan_iter())
        raise SandboxUnavailable("only looking")

    monkeypatch.setattr(tasks, "_sandbox", look)
    tasks.grade_code(job())
    ((key, seconds),) = seen
    assert (key, 0 < seconds <= tasks.HELD_SECONDS) == (f"held:{TICKET}", True)


@pytest.mark.jail
def test_a_run_carries_ticket_and_report_and_is_held_and_let_go_alike(valkey: Redis, in_jail: None):
    run = tasks.RunJob(ticket=TICKET, definition=definition(CODE), code=RIGHT, call="1 + 1")
    outcome = tasks.run_code(run)

    assert {key: outcome[key] for key in ("ticket", "failure")} == {"ticket": TICKET, "failure": None}
    assert outcome["report"]["result"] == "2"
    assert json.loads(json.dumps(outcome)) == outcome
    assert is_let_go_soon(valkey)
    with pytest.raises(Ignore):
        tasks.run_code(run)


def test_a_run_that_fails_by_our_fault_has_no_report(valkey: Redis, monkeypatch: pytest.MonkeyPatch):
    def no_sandbox() -> Sandbox:
        raise SandboxUnavailable("no user namespace here")

    monkeypatch.setattr(tasks, "_sandbox", no_sandbox)
    run = tasks.RunJob(ticket=TICKET, definition=definition(CODE), code=RIGHT, call="")

    assert tasks.run_code(run) == {"ticket": TICKET, "report": None, "failure": "sandbox_unavailable"}


def test_sandbox_that_cannot_start_is_a_failure_of_ours(valkey: Redis, monkeypatch: pytest.MonkeyPatch):
    def no_sandbox() -> Sandbox:
        raise SandboxUnavailable("no user namespace here")

    monkeypatch.setattr(tasks, "_sandbox", no_sandbox)
    assert tasks.grade_code(job()) == {
        "ticket": TICKET,
        "mark": None,
        "counted": True,
        "failure": "sandbox_unavailable",
    }
    assert 0 < valkey.ttl(f"held:{TICKET}") <= tasks.RETURNING_SECONDS


def test_definition_that_cannot_be_read_is_a_failure_of_ours(valkey: Redis, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(tasks, "_sandbox", lambda: None)
    broken: dict[str, Any] = {"slug": "nothing"}
    outcome = tasks.grade_code(tasks.Job(ticket=TICKET, definition=broken, seed=1, code=RIGHT))
    assert (outcome["failure"], outcome["mark"]) == ("grader_error", None)
    assert 0 < valkey.ttl(f"held:{TICKET}") <= tasks.RETURNING_SECONDS


@pytest.fixture
def worker(broker: str) -> Iterator[processes.Service]:
    """The sandbox worker as an operator starts it: no secret, no database, no settings in its environment."""
    names = ("PATH", "HOME", "LANG", "TMPDIR", "SANDBOX_MIN_TIER")
    environment = {name: os.environ[name] for name in names if name in os.environ} | {"REDIS_URL": broker}
    arguments = ["-A", "grader.worker", "worker", "-P", "prefork", "-c", "1", "-Q", "interactive"]
    quiet = ["--without-mingle", "--without-gossip", "--loglevel=WARNING"]
    service = processes.start(
        processes.Program(
            name="grader", command=[sys.executable, "-m", "celery", *arguments, *quiet], environment=environment
        ),
        output=subprocess.DEVNULL,
    )
    yield service
    processes.stop(service)


def send(broker: str, jobs: list[tasks.Job]) -> None:
    """Publish from a process without Django, as any sender could: the outcome is linked to follow."""
    program = """
import json, sys
from grader.worker import app
for job in json.load(sys.stdin):
    record = app.signature("exercises.record_outcome").set(queue="results")
    app.signature("grader.grade_code", args=[job]).apply_async(link=record, queue="interactive")
"""
    subprocess.run(
        [sys.executable, "-c", program],
        input=json.dumps(jobs),
        text=True,
        check=True,
        cwd=ROOT,
        env={**os.environ, "REDIS_URL": broker},
    )


def outcomes(client: Redis, count: int) -> list[dict[str, Any]]:
    """So many outcomes from the results queue, oldest first."""
    found: list[dict[str, Any]] = []
    deadline = time.monotonic() + WORKER_SECONDS
    while len(found) < count and time.monotonic() < deadline:
        message = client.brpop(["results"], timeout=1)
        if message:
            arguments, _keywords, _options = json.loads(base64.b64decode(json.loads(message[1])["body"]))
            found.append(arguments[0])
    return found


@pytest.mark.jail
def test_real_worker_grades_from_the_queue_and_sends_each_outcome_once(
    valkey: Redis, broker: str, jail: Sandbox, worker: processes.Service
):
    other = "6" * 64
    send(broker, [job(), job("def project(x, W, b=None):\n    return x @ W\n", other)])
    verdicts = [(outcome["ticket"], outcome["mark"]["verdict"]) for outcome in outcomes(valkey, 2)]
    assert verdicts == [(TICKET, "correct"), (other, "incorrect")]
    assert valkey.llen("results") == 0
    assert worker.process.poll() is None


@pytest.mark.jail
def test_that_the_code_has_run_is_told_before_it_is_marked(
    valkey: Redis, in_jail: None, monkeypatch: pytest.MonkeyPatch
):
    seen: list[object] = []
    mark = grade._mark

    def look(*arguments: object) -> object:
        seen.append(valkey.get(f"held:{TICKET}"))
        return mark(*arguments)

    monkeypatch.setattr(grade, "_mark", look)
    assert tasks.grade_code(job())["mark"] is not None
    assert [each.decode() if isinstance(each, bytes) else each for each in seen] == [tasks.MARKING]
