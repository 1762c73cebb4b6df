"""What Celery would say of a task's values, and what is left of it."""

from __future__ import annotations

import logging

import pytest
from celery.app import trace
from celery.worker.consumer import consumer

from grader.quiet_log import MESSAGE_LOGGER, WithoutMessage, WithoutValues

SECRET = "what a learner wrote"
QUOTED = ("UNKNOWN_FORMAT", "UNKNOWN_TASK_ERROR", "INVALID_TASK_ERROR", "MESSAGE_DECODE_ERROR")


def record(message: str, *args: object, name: str = MESSAGE_LOGGER) -> logging.LogRecord:
    return logging.LogRecord(name, logging.ERROR, __file__, 1, message, args, None)


@pytest.mark.parametrize("name", QUOTED)
def test_a_message_that_was_of_no_use_is_told_of_and_not_quoted(name: str) -> None:
    said = getattr(consumer, name)
    line = record(said, *[SECRET] * said.count("%"))

    assert SECRET in line.getMessage()
    assert WithoutMessage().filter(line)
    assert SECRET not in line.getMessage()
    assert said.startswith(line.getMessage())


def test_a_task_is_told_of_by_name_and_time_and_not_by_its_result() -> None:
    values = {"name": "grader.grade_code", "id": "7", "runtime": 0.5, "return_value": SECRET, "args": SECRET}
    line = record(trace.LOG_SUCCESS, values, name=trace.__name__)
    line.__dict__["data"] = values

    assert WithoutValues().filter(line)
    assert line.getMessage() == "Task grader.grade_code[7] succeeded in 0.5s: (left out)"
    assert SECRET not in str(line.__dict__)


def test_another_line_stays_as_it_is() -> None:
    line = record("consumer: Cannot connect to %s", "redis://localhost")

    assert WithoutMessage().filter(line)
    assert WithoutValues().filter(line)
    assert line.getMessage() == "consumer: Cannot connect to redis://localhost"
