"""The sandbox worker's tasks: thin, safe to run twice, with primitives in and out."""

from __future__ import annotations

import logging
import os
from collections.abc import Callable
from contextlib import suppress
from functools import cache
from typing import Any, TypedDict, TypeVar

from celery import shared_task
from celery.exceptions import Ignore
from redis import Redis
from redis.exceptions import RedisError

from grader import grading
from grader.broker import redis_url_from_environment
from grader.grading import Graded, Ran
from grader.sandbox import Sandbox, SandboxUnavailable

log = logging.getLogger(__name__)

# Longer than two runs at their wall limit and all that surrounds them: a worker that dies frees its job this soon.
HELD_SECONDS = 30
# The outcome is on its way back: until it can have arrived, the job must not look lost to the sweeper.
RETURNING_SECONDS = 10
# What the key of a held job holds once its code has run.
MARKING = "marking"


class Job(TypedDict):
    """All that the worker gets to know of a submission."""

    ticket: str
    definition: dict[str, Any]
    seed: int
    code: str


class RunJob(TypedDict):
    """All that the worker gets to know of a run that is no try; `call` is an expression, or empty."""

    ticket: str
    definition: dict[str, Any]
    code: str
    call: str


OutcomeT = TypeVar("OutcomeT", Graded, Ran)


@shared_task(name="grader.grade_code")
def grade_code(job: Job) -> dict[str, Any]:
    """Grade one code submission; the result goes on to the site's `record_outcome`."""
    ticket = job["ticket"]

    def grade(jail: Sandbox) -> Graded:
        return grading.grade_code(job["definition"], job["seed"], job["code"], jail, lambda: _note_marking(ticket))

    return _held(ticket, Graded, grade)


@shared_task(name="grader.run_code")
def run_code(job: RunJob) -> dict[str, Any]:
    """Run code without marking it; the report goes on to the site's `record_run`."""
    return _held(job["ticket"], Ran, lambda jail: grading.run_code(job["definition"], job["code"], job["call"], jail))


def _held(ticket: str, outcome: type[OutcomeT], work: Callable[[Sandbox], OutcomeT]) -> dict[str, Any]:
    """Do the work while the job is held, so that no second copy of its message is worked on."""
    held = f"held:{ticket}"
    if not _redis().set(held, "1", nx=True, ex=HELD_SECONDS):
        # Another worker has the same job: this message is a second copy, and its outcome would be one too many.
        raise Ignore
    try:
        done = _done(ticket, outcome, work)
    finally:
        _redis().expire(held, RETURNING_SECONDS)
    log.info("done: ticket=%s failure=%s", ticket[:8], done.failure)
    return {"ticket": ticket, **done.to_json()}


def _note_marking(ticket: str) -> None:
    """Say to the page that waits that the code has run. A broker that is away takes no mark from anybody."""
    with suppress(RedisError):
        _redis().set(f"held:{ticket}", MARKING, xx=True, ex=HELD_SECONDS)


def _done(ticket: str, outcome: type[OutcomeT], work: Callable[[Sandbox], OutcomeT]) -> OutcomeT:
    try:
        return work(_sandbox())
    except SandboxUnavailable as unavailable:
        log.warning("no code can run here: %s", unavailable)
        return outcome(failure="sandbox_unavailable")
    except Exception:  # the edge of the process: whatever went wrong is ours, and must end as such
        log.exception("grading failed: ticket=%s", ticket[:8])
        return outcome(failure="grader_error")


@cache
def _sandbox() -> Sandbox:
    """One for each worker process, made when the first job comes, so that each process owns its own zygote."""
    return Sandbox(minimum_tier=int(os.environ.get("SANDBOX_MIN_TIER", "3")))


@cache
def _redis() -> Redis:
    return Redis.from_url(redis_url_from_environment(), socket_timeout=5, socket_connect_timeout=2)
