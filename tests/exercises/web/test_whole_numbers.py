"""Whole numbers from outside, in addresses, queries and forms: absurd ones are refused, and never break a page."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from uuid import UUID, uuid4

import pytest
from django.db import transaction
from django.forms import DecimalField, Form, IntegerField
from django.test import Client
from django.urls import URLPattern, converters, reverse
from django.urls.resolvers import RoutePattern

from exercises.models import Curriculum, Submission, User
from exercises.services.submission_create import submission_create
from exercises.urls import page_urlpatterns
from exercises.web import grade_forms
from exercises.web.requests import whole_number
from tests.exercises.conftest import AttemptBy
from tests.exercises.responses import right_numbers
from tests.exercises.web.conftest import SignedIn

ABSURD = ("9" * 5000, "-" + "9" * 5000, "9" * 30, "-" + "9" * 30, "-1", "0", "9" * 18, "٣", "１", "1e9", "²", "")
SENDS_A_FILE = frozenset({"export"})
# Every number that a page reads by itself, without a form: names of parameters anywhere in the site.
READ_BY_HAND = frozenset({"page", "looks", "stock", "drop", "seed", "actor", "answer", "layout", "limit", "after"})


def patterns() -> Iterator[URLPattern]:
    for pattern in page_urlpatterns:
        assert isinstance(pattern, URLPattern)
        yield pattern


def with_numbers() -> list[str]:
    return [
        str(pattern.name)
        for pattern in patterns()
        if any(isinstance(each, converters.IntConverter) for each in pattern.pattern.converters.values())
    ]


def address(pattern: URLPattern, number: int | str, submission: Submission) -> str:
    """The page's address in the course, with the number wherever one stands."""
    assert isinstance(pattern.pattern, RoutePattern)
    known = {"course_slug": "spring", "item_slug": "by-hand", "lesson_slug": "first", "assignment_slug": "first"}
    ids = {"attempt_id": submission.attempt.public_id, "submission_id": submission.public_id}
    values: dict[str, object] = {}
    for name, converter in pattern.pattern.converters.items():
        if isinstance(converter, converters.IntConverter):
            values[name] = 7_777_777
        elif isinstance(converter, converters.UUIDConverter):
            values[name] = ids.get(name, uuid4())
        else:
            values[name] = known.get(name, "nothing")
    assert all(isinstance(each, str | int | UUID) for each in values.values())
    return reverse(str(pattern.name), kwargs=values).replace("7777777", str(number))


@pytest.fixture
def sent(ada: User, attempt: AttemptBy) -> Submission:
    mine = attempt(ada, "by-hand")
    return submission_create(attempt=mine, raw_response=right_numbers(mine)).submission


def test_there_are_such_addresses() -> None:
    assert {"member", "grade", "extension_remove", "layout_remove", "student"} <= set(with_numbers())


@pytest.mark.parametrize("number", ABSURD)
def test_absurd_number_in_an_address_leads_nowhere(
    number: str, ines: User, sent: Submission, as_user: SignedIn
) -> None:
    browser = as_user(ines)
    for pattern in patterns():
        if pattern.name in with_numbers():
            where = address(pattern, number, sent)
            answers = {browser.get(where).status_code, browser.post(where).status_code}
            assert answers <= {400, 404, 405}, where[:200]


@pytest.mark.parametrize("number", ["9" * 5000, "-" + "9" * 5000, "9" * 30, "٣"])
def test_absurd_number_in_a_query_or_a_form_breaks_no_page(
    number: str, ines: User, sent: Submission, as_user: SignedIn
) -> None:
    browser = as_user(ines)
    given = {name: [number, f"{sent.public_id}:{number}"] for name in (*READ_BY_HAND, *number_fields())}
    for pattern in patterns():
        if pattern.name not in SENDS_A_FILE:
            where = address(pattern, 1, sent)
            assert browser.get(where, {**given, **dict.fromkeys(READ_BY_HAND, number)}).status_code < 500, where
            # What one page deletes, the next ones still need.
            with transaction.atomic():
                single = dict.fromkeys([*READ_BY_HAND, *number_fields()], number)
                for act in ("mark", "override"):
                    assert browser.post(where, {**given, **single, "act": act, "reason": "r"}).status_code < 500, where
                assert browser.post(where, {**given, "act": "mark"}).status_code < 500, where
                transaction.set_rollback(True)
    assert Curriculum.objects.exists()


def number_fields() -> set[str]:
    """Fields of the grade forms that hold a number, or numbers."""
    kinds = (IntegerField, DecimalField, grade_forms.PercentField)
    forms = (form for form in vars(grade_forms).values() if isinstance(form, type) and issubclass(form, Form))
    return {name for form in forms for name, field in form.base_fields.items() if isinstance(field, kinds)}


def test_every_number_that_is_read_by_hand_is_tried_here() -> None:
    """A parameter read in a way that could break stands in READ_BY_HAND, or is read by `whole_number`."""
    found: set[str] = set()
    for source in (Path(__file__).parents[3] / "exercises" / "web").rglob("*.py"):
        text = source.read_text()
        if "int(" in text or "whole_number(" in text:
            found |= set(re.findall(r"""(?:int|whole_number)\(\w+\.(?:GET|POST)(?:\.get\(|\[)"(\w+)""", text))
    assert found <= READ_BY_HAND


@pytest.mark.parametrize(
    ("text", "number"), [("0", 0), ("18", 18), ("9" * 18, 10**18 - 1), ("9" * 19, None), ("-1", None), ("٣", None)]
)
def test_number_is_what_the_site_could_have_written(text: str, number: int | None) -> None:
    assert whole_number(text) == number


def test_signed_in_client_is_needed_for_none_of_it(client: Client, sent: Submission) -> None:
    for pattern in patterns():
        assert client.get(address(pattern, "9" * 5000, sent)).status_code < 500
