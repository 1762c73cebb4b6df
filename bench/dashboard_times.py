"""`python -m bench.dashboard_times SIZE…`: what the instructor's pages cost for classes of these sizes, as JSON.

One process without a network, on SQLite. The environment names the settings and an empty data directory.
"""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Callable
from functools import partial
from typing import Any

import django

ROUNDS = 5


def main(sizes: list[int]) -> None:
    """Make the classes, and measure."""
    django.setup()
    json.dump(measured(sizes), sys.stdout)


def measured(sizes: list[int]) -> dict[str, dict[str, Any]]:
    """Size -> page -> seconds and queries; `python` is the same analysis worked out from the rows."""
    from bench.class_data import copied_class, keep_items, template_class  # noqa: PLC0415 -- models load once Django is set up
    from bench.page_visits import make_site  # noqa: PLC0415 -- the same
    from exercises.enums import Role  # noqa: PLC0415 -- the same
    from exercises.models import Curriculum, Enrollment, User  # noqa: PLC0415 -- the same

    make_site()
    curriculum = Curriculum.objects.get(slug="qkv")
    keep_items(curriculum)
    template = template_class(curriculum)
    instructor = User.objects.create(username="ines", display_name="Ines")
    found = {}
    for size in sizes:
        course = template if size == template.enrollments.count() else copied_class(template, size)
        Enrollment.objects.create(course=course, user=instructor, role=Role.INSTRUCTOR)
        print(f"class of {size}", file=sys.stderr, flush=True)
        found[str(size)] = _of(course, instructor)
    return found


def _of(course: Any, instructor: Any) -> dict[str, Any]:  # noqa: ANN401 -- models that are not loaded above
    from django.test import Client  # noqa: PLC0415 -- once Django is set up

    from bench.class_data import analysis_of  # noqa: PLC0415 -- the same
    from exercises.services.snapshot_refresh import Figures, snapshot_refresh  # noqa: PLC0415 -- the same

    browser = Client(SERVER_NAME="127.0.0.1")
    browser.force_login(instructor)
    found = {}
    for name, figures in (
        ("overview", Figures.OVERVIEW),
        ("board", Figures.BOARD),
        ("analysis", Figures.FIRST),
        ("students", Figures.STUDENTS),
        ("grades", Figures.GRADES),
    ):
        found[f"{name}_anew"] = _timed(partial(snapshot_refresh, course=course, name=figures), rounds=1)
    for name, address in (
        ("overview", "overview/"),
        ("progress", "progress/?order=stuck"),
        ("analysis", "analysis/"),
        ("gradebook", "gradebook/"),
        ("sheet", "gradebook/sheet/"),
    ):
        found[name] = _timed(partial(_get, browser, f"/en/courses/{course.slug}/{address}"))
    found["python"] = _timed(partial(analysis_of, course), rounds=1)
    return found


def _get(browser: Any, address: str) -> None:  # noqa: ANN401 -- a client that is not loaded above
    answer = browser.get(address)
    if answer.status_code != 200:  # noqa: PLR2004 -- OK
        raise RuntimeError(f"{address} answered {answer.status_code}")


def _timed(act: Callable[[], object], rounds: int = ROUNDS) -> dict[str, float]:
    """The middle of some rounds, after one that is not counted where there are several, and the queries of the last."""
    from django.db import connection  # noqa: PLC0415 -- once Django is set up
    from django.test.utils import CaptureQueriesContext  # noqa: PLC0415 -- the same

    if rounds > 1:
        act()
    seconds = []
    queries = 0
    for _ in range(rounds):
        with CaptureQueriesContext(connection) as captured:
            begun = time.perf_counter()
            act()
            seconds.append(time.perf_counter() - begun)
        queries = len(captured)
    return {"seconds": sorted(seconds)[len(seconds) // 2], "queries": queries}


if __name__ == "__main__":
    main([int(size) for size in sys.argv[1:]])
