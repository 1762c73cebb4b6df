"""The pages that are measured, each as a function that asks for it; only for a process in which Django is set up."""

from __future__ import annotations

import itertools
import sys
from collections.abc import Callable, Mapping
from functools import partial
from typing import Final

from django.conf import settings
from django.core.management import call_command
from django.test import Client

from bench.timing import seconds_of
from exercises.enums import ItemKind, Role
from exercises.management.smoke.page import parse
from exercises.models import Enrollment, Item
from exercises.services.attempt_start import attempt_start
from exercises.services.demo_create import COURSE_SLUG

EMPTY: Final = "empty"
CHECK: Final = "check"
WARM_ROUNDS: Final = 5
OK: Final = 200


def make_site() -> None:
    """Tables, static files, content and the demo course."""
    settings.ROOT_URLCONF = "bench.empty_page"
    for command in (
        ["migrate"],
        ["createcachetable"],
        ["collectstatic", "--no-input"],
        ["load_content"],
        ["make_demo"],
    ):
        call_command(*command, verbosity=0, stdout=sys.stderr)


def visits() -> Mapping[str, Callable[[], int]]:
    """Name of a page -> what asks for it, as a student, and returns its status."""
    student = Enrollment.objects.filter(course__slug=COURSE_SLUG, role=Role.STUDENT).select_related("user")[0]
    item = Item.objects.filter(kind=ItemKind.NUMERIC).select_related("current_version", "lesson")[0]
    attempt = attempt_start(enrollment=student, item=item)
    browser = Client(SERVER_NAME="127.0.0.1")
    browser.force_login(student.user)
    course = f"/en/courses/{COURSE_SLUG}/"
    addresses = {
        EMPTY: "/en/empty/",
        "course": course,
        "lesson": f"{course}lessons/{item.lesson.slug}/",
        "item": f"{course}items/{item.slug}/",
        "skills": f"{course}skills/",
        "review": f"{course}review/",
        "search": "/en/search/?q=attention",
        "glossary": f"{course}glossary/",
    }
    boxes = _boxes(browser.get(addresses["item"]).content.decode())
    check = f"{course}items/{item.slug}/{attempt.public_id}/submit/"
    pages = {name: partial(_status, browser, address) for name, address in addresses.items()}
    return {**pages, CHECK: partial(_send, browser, check, boxes, itertools.count(1000))}


def times(pages: Mapping[str, Callable[[], int]], rounds: int) -> Mapping[str, list[float]]:
    """Name -> seconds, once a round, all pages in turns. Raises RuntimeError where one does not answer 200."""
    for name, visit in pages.items():
        for _ in range(WARM_ROUNDS):
            if (status := visit()) != OK:
                raise RuntimeError(f"{name} answered {status}")
    measured: dict[str, list[float]] = {name: [] for name in pages}
    for _ in range(rounds):
        for name, visit in pages.items():
            measured[name].append(seconds_of(visit))
    return measured


def _status(browser: Client, address: str) -> int:
    return browser.get(address).status_code


def _send(browser: Client, address: str, boxes: list[str], numbers: itertools.count[int]) -> int:
    """Another wrong answer: each is understood, stored and marked, and comes back as the item alone."""
    wrong = dict.fromkeys(boxes, str(next(numbers)))
    return browser.post(address, wrong, headers={"hx-request": "true"}).status_code


def _boxes(html: str) -> list[str]:
    """The names of the boxes for numbers on an item's page."""
    form = parse(html).one("form", css="item-form")
    return [box.attributes["name"] for box in form.all("input", type="text")]
