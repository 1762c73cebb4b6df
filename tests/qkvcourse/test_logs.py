from __future__ import annotations

import json
import logging
from collections.abc import Callable
from io import StringIO
from typing import Any

import pytest

from qkvcourse.logs import logging_settings

STUDENT_CODE = "def project(x, W): return x"


def formatter(form: str) -> logging.Formatter:
    described: dict[str, Any] = dict(logging_settings(form=form, level="INFO")["formatters"]["event"])
    make: Callable[..., logging.Formatter] = described.pop("()")
    return make(**described)


def lines_of(form: str, write: Callable[[logging.Logger], None]) -> list[str]:
    stream = StringIO()
    handler = logging.StreamHandler(stream)
    handler.setFormatter(formatter(form))
    logger = logging.getLogger("tests.qkvcourse.logs")
    logger.handlers, logger.propagate = [handler], False
    write(logger)
    return stream.getvalue().splitlines()


def fail_with_code_in_a_variable(logger: logging.Logger) -> None:
    code = STUDENT_CODE
    try:
        int(code.split()[0])
    except ValueError:
        logger.exception("it failed")


@pytest.mark.parametrize("form", ["json", "line"])
def test_an_exception_is_one_line_without_any_variable(form: str) -> None:
    lines = lines_of(form, fail_with_code_in_a_variable)

    assert len(lines) == 1
    assert "ValueError" in lines[0]
    assert STUDENT_CODE not in lines[0]


def test_json_names_time_level_and_event() -> None:
    (line,) = lines_of("json", lambda logger: logger.warning("disk is %s", "full"))

    event = json.loads(line)

    assert sorted(event) == ["event", "level", "timestamp"]
    assert (event["event"], event["level"]) == ("disk is full", "warning")


def test_a_line_break_in_an_event_stays_inside_its_line() -> None:
    lines = lines_of("line", lambda logger: logger.warning("two\nlines"))

    assert [line.partition(" ")[2] for line in lines] == ["level=warning event=two\\nlines"]
