"""The sandbox worker's one task: thin, safe to run twice, with primitives in and out."""

from __future__ import annotations

import logging
import os
from functools import cache
from typing import Any, TypedDict

from celery import shared_task
from celery.exceptions import Ignore
from redis import Redis

from grader.broker import redis_url_from_environment
from grader.grading import Graded
from grader.grading import grade_code as grade
from grader.sandbox import Sandbox, SandboxUnavailable

log = logging.getLogger(__name__)

# Longer than two runs at their wall limit and all that surrounds them: a worker that dies frees its job this soon.
HELD_SECONDS = 30
# The outcome is on its way back: until it can have arrived, the job must not look lost to the sweeper.
RETURNING_SECONDS = 10


class Job(TypedDict):
    """All that the worker gets to know of a submission."""

    ticket: str
    definition: dict[str, Any]
    seed: int
    code: str


@shared_task(name="grader.grade_code")
def grade_code(job: Job) -> dict[str, Any]:
    """Grade one code submission; the result goes on to the site's `record_outcome`."""
    held = f"held:{job['ticket']}"
    if not _redis().set(held, "1", nx=True, ex=HELD_SECONDS):
        # Another worker has the same job: this message is a second copy, and its outcome would be one too many.
        raise Ignore
    try:
        graded = _graded(job)
    finally:
        _redis().expire(held, RETURNING_SECONDS)
    log.info("graded: ticket=%s failure=%s", job["ticket"][:8], graded.failure)
    return {"ticket": job["ticket"], **graded.to_json()}


def _graded(job: Job) -> Graded:
    try:
        return grade(job["definition"], job["seed"], job["code"], _sandbox())
    except SandboxUnavailable as unavailable:
        log.warning("no code can run here: %s", unavailable)
        return Graded(failure="sandbox_unavailable")
    except Exception:  # the edge of the process: whatever went wrong is ours, and must end as such
        log.exception("grading failed: ticket=%s", job["ticket"][:8])
        return Graded(failure="grader_error")


@cache
def _sandbox() -> Sandbox:
    """One for each worker process, made when the first job comes, so that each process owns its own zygote."""
    return Sandbox(minimum_tier=int(os.environ.get("SANDBOX_MIN_TIER", "3")))


@cache
def _redis() -> Redis:
    return Redis.from_url(redis_url_from_environment(), socket_timeout=5, socket_connect_timeout=2)
