"""Drafts over HTTP: one's own alone, with both texts where two differ, and gone once they were sent."""

from __future__ import annotations

import json
import re
from datetime import UTC, datetime
from html import unescape

import pytest
from django.http import HttpResponse
from django.test import Client

from exercises.models import Attempt, Course, Draft, Submission, User
from exercises.services.draft_save import MOST_BYTES, draft_save
from tests.exercises.conftest import AttemptBy
from tests.exercises.grading import Clock
from tests.exercises.responses import half_right_numbers
from tests.exercises.web.conftest import SignedIn, numeric_form, submit_address

# Typed as no variant has it: what was sent and drawn by chance must not say the same.
MINE = [["q-0-0", "1/7"]]


@pytest.fixture
def by_hand(ada: User, attempt: AttemptBy) -> Attempt:
    return attempt(ada, "by-hand")


def address(attempt: Attempt) -> str:
    return submit_address(attempt).replace("/submit/", "/draft/")


def save(browser: Client, attempt: Attempt, fields: object, base: str = "") -> HttpResponse:
    return browser.post(address(attempt), {"fields": json.dumps(fields), "base": base})


def shown(page: HttpResponse, name: str) -> str | None:
    found = re.search(rf'data-draft-{name}="([^"]*)"', page.content.decode())
    return unescape(found[1]) if found else None


def test_what_is_saved_is_shown_to_whoever_opens_the_page_next(ada: User, by_hand: Attempt, as_user: SignedIn) -> None:
    kept = save(as_user(ada), by_hand, MINE)

    draft = Draft.objects.get()
    assert (kept.status_code, kept.json()["version"], kept.json()["fields"]) == (200, draft.version, MINE)
    page = as_user(ada).get(f"/en/courses/spring/lessons/{by_hand.item.lesson.slug}/")
    assert (json.loads(shown(page, "fields") or ""), shown(page, "use")) == (MINE, "restore")
    assert f'name="draft" value="{draft.version}"' in page.content.decode()


def test_two_windows_are_shown_each_others_text(ada: User, by_hand: Attempt, as_user: SignedIn) -> None:
    browser = as_user(ada)
    first = save(browser, by_hand, MINE)

    second = save(browser, by_hand, [["q-0-0", "2"]])

    assert (second.status_code, second.json()) == (409, first.json())
    third = save(browser, by_hand, [["q-0-0", "2"]], base=first.json()["version"])
    assert third.status_code == 200


@pytest.mark.parametrize("name", ["ben", "ines", "otto"])
def test_a_draft_is_for_its_writer_alone(
    name: str, by_hand: Attempt, as_user: SignedIn, request: pytest.FixtureRequest
) -> None:
    draft_save(attempt=by_hand, fields=MINE, base="")
    browser = as_user(request.getfixturevalue(name))

    assert browser.get(address(by_hand)).status_code == 404
    assert save(browser, by_hand, [["q-0-0", "9"]]).status_code == 404
    assert Draft.objects.get().fields == MINE


def test_an_instructor_sees_what_was_sent_and_no_draft(
    ada: User, ines: User, by_hand: Attempt, as_user: SignedIn
) -> None:
    as_user(ada).post(submit_address(by_hand), numeric_form(half_right_numbers(by_hand)))
    draft_save(attempt=by_hand, fields=[["q-0-0", "never sent"]], base="")

    page = as_user(ines).get(f"/en/submissions/{Submission.objects.get().public_id}/")

    assert (page.status_code, "never sent" in page.content.decode()) == (200, False)


def test_who_is_signed_out_is_told_so(by_hand: Attempt) -> None:
    assert Client().post(address(by_hand), {"fields": "[]"}, headers={"hx-request": "true"}).status_code == 401
    assert Client().get(address(by_hand), headers={"hx-request": "true"}).status_code == 401


def test_a_page_that_was_left_open_gets_a_fresh_token(ada: User, by_hand: Attempt) -> None:
    browser = Client(enforce_csrf_checks=True)
    browser.force_login(ada)
    token = browser.get(address(by_hand)).json()["token"]

    assert browser.post(address(by_hand), {"fields": "[]"}).status_code == 403
    assert browser.post(address(by_hand), {"fields": "[]", "csrfmiddlewaretoken": token}).status_code == 200


@pytest.mark.parametrize(
    ("fields", "status"),
    [("{", 400), ('{"a": 1}', 400), ("[" * 20_000, 400), (json.dumps([["code", "x" * MOST_BYTES]]), 413)],
)
def test_what_is_no_draft_is_refused(fields: str, status: int, ada: User, by_hand: Attempt, as_user: SignedIn) -> None:
    assert as_user(ada).post(address(by_hand), {"fields": fields}).status_code == status
    assert not Draft.objects.exists()


def test_a_draft_goes_when_it_is_sent_and_stays_when_another_window_sends(
    ada: User, by_hand: Attempt, as_user: SignedIn
) -> None:
    browser = as_user(ada)
    version = save(browser, by_hand, MINE).json()["version"]
    form = numeric_form(half_right_numbers(by_hand))

    browser.post(submit_address(by_hand), {**form, "draft": "of another window"})
    assert Draft.objects.get().version == version
    page = browser.get(f"/en/courses/spring/lessons/{by_hand.item.lesson.slug}/")
    # It is older than what was sent: it is offered, and not laid over the answer.
    assert shown(page, "use") == "offer"

    browser.post(submit_address(by_hand), {**form, "draft": version})
    assert not Draft.objects.exists()


def test_a_refusal_keeps_the_draft_and_what_was_typed_takes_its_place(
    ada: User, by_hand: Attempt, as_user: SignedIn
) -> None:
    browser = as_user(ada)
    version = save(browser, by_hand, MINE).json()["version"]
    form = dict.fromkeys(numeric_form(half_right_numbers(by_hand)), "abc")

    page = browser.post(submit_address(by_hand), {**form, "draft": version})

    assert (page.status_code, shown(page, "use"), Draft.objects.get().version) == (422, "replace", version)


def test_an_empty_text_lets_the_draft_go(ada: User, by_hand: Attempt, as_user: SignedIn) -> None:
    browser = as_user(ada)
    version = save(browser, by_hand, MINE).json()["version"]

    gone = browser.post(address(by_hand), {"fields": "", "base": version})

    assert (gone.json()["version"], Draft.objects.exists()) == ("", False)


def test_when_it_was_saved_is_told_by_the_clock_of_the_course(
    ada: User, by_hand: Attempt, as_user: SignedIn, clock: Clock
) -> None:
    Course.objects.update(time_zone="Asia/Kathmandu")
    clock.move_to(datetime(2027, 3, 9, 18, 10, tzinfo=UTC))
    browser = as_user(ada)

    at_once = save(browser, by_hand, MINE).json()["saved"]
    clock.move_to(datetime(2027, 3, 9, 18, 20, tzinfo=UTC))
    next_day = browser.get(address(by_hand)).json()["saved"]
    page = browser.get(f"/en/courses/spring/items/{by_hand.item.slug}/")

    whole = "2027-03-09 23:55 (UTC+5:45)"
    assert (at_once, next_day, shown(page, "saved")) == ("23:55 (UTC+5:45)", whole, whole)
