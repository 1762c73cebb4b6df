"""What passes through the broker: task names, queues, and the few small keys that site and sandbox worker share.

The database is the truth and the broker only a hint, so every function here either does its work within about a second
or raises `BrokerAway`, and every caller can go on without it.

- `held:<ticket>` exists while a sandbox worker works on that job; the worker sets and renews it,
  and writes `marking` into it once the code has run.
- `heartbeat:<worker>` holds the tier in which a living sandbox worker runs code; the worker renews it.
- `wake:<ticket>` gets elements when the outcome is stored; a request that waits for it takes one.
- a message on the queue carries `sent_at` in its headers, so that the oldest waiting one tells which jobs were already
  taken from the queue.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from datetime import datetime, timedelta
from functools import cache
from typing import Any, TypedDict

from celery import Signature, signature
from django.conf import settings
from kombu import Connection, pools
from kombu.exceptions import KombuError, OperationalError
from redis import Redis
from redis.exceptions import RedisError

GRADE_CODE = "grader.grade_code"
RUN_CODE = "grader.run_code"
RECORD_OUTCOME = "exercises.record_outcome"
RECORD_RUN = "exercises.record_run"
RECORD_REGRADE = "exercises.record_regrade"
STEP_REGRADE = "exercises.step_regrade"
SWEEP_STUCK = "exercises.sweep_stuck"
REFRESH_FIGURES = "exercises.refresh_figures"
WARM_FIGURES = "exercises.warm_figures"
FORGET_GUESTS = "exercises.forget_guests"
FORGET_DRAFTS = "exercises.forget_drafts"
SEND_DIGESTS = "exercises.send_digests"
TELL_RELEASED = "exercises.tell_released"

INTERACTIVE = "interactive"
RESULTS = "results"
SITE = "site"
# Where learners wait nothing of an instructor's goes first: the broker keeps such messages in a list behind theirs.
LAST = 9

CONNECT_SECONDS = 0.5
ANSWER_SECONDS = 1.0
WAKE_KEY_SECONDS = 60
# As many requests as may wait for one result: the learner's double clicks and open tabs.
WAKE_ELEMENTS = 4


class BrokerAway(Exception):  # noqa: N818 -- it names a state of the world that callers live with, no mistake
    """The broker did not answer in time, or not with anything we can read."""


class GradeCodeJob(TypedDict):
    """All that a sandbox worker gets to know of a submission."""

    ticket: str
    definition: dict[str, Any]
    seed: int
    code: str


class RunCodeJob(TypedDict):
    """The same of a run that is no try: `call` is an expression to evaluate, or empty for the visible cases."""

    ticket: str
    definition: dict[str, Any]
    code: str
    call: str


def send_grade_code(job: GradeCodeJob, *, sent_at: datetime) -> None:
    """Queue a code submission; its outcome comes back as `exercises.record_outcome`."""
    _send(GRADE_CODE, job, RECORD_OUTCOME, sent_at=sent_at)


def send_run_code(job: RunCodeJob, *, sent_at: datetime, expires_at: datetime) -> None:
    """Queue a run, which no worker begins after `expires_at`; its report comes back as `exercises.record_run`."""
    _send(RUN_CODE, job, RECORD_RUN, sent_at=sent_at, expires_at=expires_at)


def _send(
    task: str,
    job: Mapping[str, Any],
    back: str,
    *,
    sent_at: datetime,
    expires_at: datetime | None = None,
    priority: int = 0,
) -> None:
    message = signature(task, args=[job])
    # Linked, not chained: Celery's chain would leave our producer aside and take its own, more patient connection.
    message.link(signature(back).set(queue=RESULTS))
    if expires_at is not None:
        message.set(expires=expires_at)
    _publish(message, INTERACTIVE, headers={"sent_at": sent_at.isoformat()}, priority=priority)


def send_regrade_code(job: GradeCodeJob, *, sent_at: datetime) -> None:
    """Queue a program that is graded once more, behind all that learners wait for."""
    _send(GRADE_CODE, job, RECORD_REGRADE, sent_at=sent_at, priority=LAST)


def send_regrade_step(regrade_id: int) -> None:
    """Ask the site worker to go on with a regrade."""
    _publish(signature(STEP_REGRADE, args=[regrade_id]), SITE)


def send_refresh_figures(course_id: int, name: str, *, expires: timedelta) -> None:
    """Ask the site worker to work figures of a course out anew, unless it comes to it too late."""
    _publish(signature(REFRESH_FIGURES, args=[course_id, name]).set(expires=expires.total_seconds()), SITE)


def _publish(message: Signature[Any], queue: str, **options: Any) -> None:
    with _broker_errors(), pools.producers[_connection()].acquire(block=True, timeout=ANSWER_SECONDS) as producer:
        message.apply_async(
            queue=queue,
            producer=producer,
            retry=True,
            # One more try mends a pooled connection that a restarted broker has closed.
            retry_policy={"max_retries": 1, "interval_start": 0, "interval_step": 0, "interval_max": 0},
            **options,
        )


def oldest_waiting_sent_at() -> datetime | None:
    """When the job was sent that the next free sandbox worker will take; None if none waits."""
    with _broker_errors():
        raw = _client().lindex(INTERACTIVE, -1)
    if raw is None:
        return None
    try:
        return datetime.fromisoformat(json.loads(raw)["headers"]["sent_at"])
    except (ValueError, KeyError, TypeError) as error:
        raise BrokerAway("the oldest message on the queue is none of ours") from error


def jobs_waiting() -> int:
    """How many jobs wait for a free sandbox worker."""
    with _broker_errors():
        return int(_client().llen(INTERACTIVE))


def outcomes_waiting() -> int:
    """How many outcomes have come back and are not recorded yet."""
    with _broker_errors():
        return int(_client().llen(RESULTS))


def is_held(ticket: str) -> bool:
    """Whether a sandbox worker works on the job at this moment."""
    with _broker_errors():
        return bool(_client().exists(f"held:{ticket}"))


def is_being_marked(ticket: str) -> bool:
    """Whether its code has run, and the worker that holds the job marks what came of it."""
    with _broker_errors():
        return str(_client().get(f"held:{ticket}")) == "marking"


def sandbox_tiers() -> list[int]:
    """The tier in which each living sandbox worker runs code; 0 is one that refuses to. Empty where none lives."""
    with _broker_errors():
        client = _client()
        keys = list(client.scan_iter(match="heartbeat:*", count=1000))
        values = client.mget(keys) if keys else []
    return [int(value) for value in map(str, values) if value.isdecimal()]


def wake(ticket: str) -> None:
    """Tell the requests that wait for this job that its outcome is stored."""
    key = f"wake:{ticket}"
    with _broker_errors():
        pipeline = _client().pipeline()
        pipeline.rpush(key, *["1"] * WAKE_ELEMENTS)
        pipeline.expire(key, WAKE_KEY_SECONDS)
        pipeline.execute()


def wait_for_wake(ticket: str, *, seconds: float) -> bool:
    """Wait until `wake` is called for the job, before or after this; False when the time is over."""
    # A client that is ready to wait for longer than the broker may take to answer anything else.
    client = _client_of(settings.REDIS_URL, seconds + ANSWER_SECONDS)
    with _broker_errors():
        return client.blpop([f"wake:{ticket}"], timeout=seconds) is not None


@contextmanager
def _broker_errors() -> Iterator[None]:
    try:
        yield
    except (KombuError, OperationalError, RedisError, OSError) as error:
        raise BrokerAway(str(error)) from error


def _connection() -> Connection:
    return _connection_to(settings.CELERY_BROKER_URL)


def _client() -> Redis:
    return _client_of(settings.REDIS_URL, ANSWER_SECONDS)


@cache
def _connection_to(url: str) -> Connection:
    # Celery's own connection waits as long as a worker should; a request must not.
    options = {"socket_connect_timeout": CONNECT_SECONDS, "socket_timeout": ANSWER_SECONDS}
    return Connection(url, connect_timeout=CONNECT_SECONDS, transport_options=options)


@cache
def _client_of(url: str, answer_seconds: float) -> Redis:
    return Redis.from_url(
        url, socket_connect_timeout=CONNECT_SECONDS, socket_timeout=answer_seconds, decode_responses=True
    )
