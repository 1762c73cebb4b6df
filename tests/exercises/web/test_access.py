"""Who may open what: every page, every member of the cast."""

from __future__ import annotations

from collections.abc import Callable
from itertools import product
from uuid import uuid4

import pytest
from django.http import Http404
from django.test import Client

from exercises.access import attempt_for_user, enrollment_for_user, memberships
from exercises.enums import Role
from exercises.models import Attempt, Course, Enrollment, User
from exercises.services.submission_create import submission_create
from tests.exercises.conftest import AttemptBy
from tests.exercises.responses import right_numbers
from tests.exercises.web.conftest import SignedIn, submit_address

STUDENT_PAGES = ["/en/courses/spring/", "/en/courses/spring/lessons/first/"]
INSTRUCTOR_PAGES = [
    "/en/courses/spring/progress/",
    "/en/courses/spring/misconceptions/",
    "/en/courses/spring/quick-checks/",
]


@pytest.fixture
def adas_attempt(ada: User, attempt: AttemptBy) -> Attempt:
    return attempt(ada, "by-hand")


@pytest.fixture
def adas_submission(adas_attempt: Attempt) -> str:
    submitted = submission_create(attempt=adas_attempt, raw_response=right_numbers(adas_attempt))
    return str(submitted.submission.public_id)


@pytest.mark.parametrize("address", ["/en/", *STUDENT_PAGES, *INSTRUCTOR_PAGES])
def test_stranger_is_sent_to_the_log_in_and_back(address: str, client: Client, ada: User) -> None:
    response = client.get(address)

    assert (response.status_code, response["Location"]) == (302, f"/en/accounts/login/?next={address}")


@pytest.mark.parametrize("address", STUDENT_PAGES)
def test_pages_of_a_course_are_open_to_its_members_alone(
    address: str, ada: User, ben: User, ines: User, otto: User, as_user: SignedIn
) -> None:
    statuses = [as_user(user).get(address).status_code for user in (ada, ben, ines, otto)]

    assert statuses == [200, 200, 200, 404]


@pytest.mark.parametrize("address", INSTRUCTOR_PAGES)
def test_instructors_pages_are_open_to_the_instructor_alone(
    address: str, ada: User, ines: User, otto: User, as_user: SignedIn
) -> None:
    statuses = [as_user(user).get(address).status_code for user in (ada, ines, otto)]

    assert statuses == [404, 200, 404]


@pytest.mark.parametrize("part", ["", "result/"])
def test_submission_is_open_to_its_author_and_the_instructor(
    part: str, adas_submission: str, ada: User, ben: User, ines: User, otto: User, as_user: SignedIn, client: Client
) -> None:
    address = f"/en/submissions/{adas_submission}/{part}"

    statuses = [as_user(user).get(address).status_code for user in (ada, ines, ben, otto)]

    assert ([*statuses, client.get(address).status_code]) == [200, 200, 404, 404, 302]


def test_unknown_and_foreign_submission_answer_alike(adas_submission: str, ben: User, as_user: SignedIn) -> None:
    browser = as_user(ben)

    foreign = browser.get(f"/en/submissions/{adas_submission}/")
    unknown = browser.get(f"/en/submissions/{uuid4()}/")

    assert (foreign.status_code, foreign.content) == (unknown.status_code, unknown.content)


def test_attempt_of_somebody_else_takes_no_answer(
    adas_attempt: Attempt, ben: User, otto: User, as_user: SignedIn
) -> None:
    statuses = [as_user(user).post(submit_address(adas_attempt)).status_code for user in (ben, otto)]

    assert (statuses, adas_attempt.submissions.count()) == ([404, 404], 0)


@pytest.mark.parametrize(("course_slug", "item_slug"), [("spring", "pick"), ("autumn", "by-hand"), ("autumn", "pick")])
def test_attempt_under_another_item_or_course_takes_no_answer(
    course_slug: str, item_slug: str, adas_attempt: Attempt, ada: User, otto: User, as_user: SignedIn
) -> None:
    response = as_user(ada).post(submit_address(adas_attempt, course=course_slug, item=item_slug))

    assert (response.status_code, adas_attempt.submissions.count()) == (404, 0)


def test_stranger_who_answers_is_sent_to_the_log_in(adas_attempt: Attempt, client: Client) -> None:
    response = client.post(submit_address(adas_attempt))

    assert (response.status_code, response["Location"]) == (302, "/en/accounts/login/?next=/en/")


def test_stranger_whose_script_answers_is_told_by_status_alone(adas_attempt: Attempt, client: Client) -> None:
    response = client.post(submit_address(adas_attempt), headers={"hx-request": "true"})

    assert (response.status_code, response.content) == (401, b"")


@pytest.mark.parametrize("address", ["/en/courses/spring/items/by-hand/another/"])
def test_what_changes_something_is_never_a_link(address: str, ada: User, as_user: SignedIn) -> None:
    assert as_user(ada).get(address).status_code == 405


def test_another_variant_is_given_to_members_alone(ada: User, otto: User, as_user: SignedIn) -> None:
    address = "/en/courses/spring/items/by-hand/another/"

    statuses = [as_user(user).post(address).status_code for user in (ada, otto)]

    assert statuses == [302, 404]


@pytest.mark.parametrize(
    "address",
    [
        *("/en/", "/en/search/?q=x", "/en/news/", "/en/settings/", "/en/nowhere/", *STUDENT_PAGES),
        *("/en/accounts/email/", "/en/accounts/password/change/", "/en/accounts/sessions/", "/en/accounts/logout/"),
    ],
)
def test_what_a_member_is_sent_stays_in_no_cache(address: str, ada: User, as_user: SignedIn) -> None:
    answer = as_user(ada).get(address)

    assert {"private", "no-store"} <= set(answer["Cache-Control"].split(", "))
    assert "Cookie" in answer["Vary"]


def is_let_in(reach: Callable[[], object]) -> bool:
    """Whether something is there for somebody."""
    try:
        reach()
    except Http404:
        return False
    return True


def test_who_is_in_a_course_is_one_rule_for_lists_and_for_single_rows(ada: User, adas_attempt: Attempt) -> None:
    names = {"course_slug": "spring", "item_slug": "by-hand", "attempt_id": adas_attempt.public_id}
    kept_out = set()
    for role, is_open in product(Role, (False, True)):
        Enrollment.objects.filter(user=ada).update(role=role)
        Course.objects.filter(slug="spring").update(is_open=is_open)
        listed = memberships(ada).exists()
        assert is_let_in(lambda: enrollment_for_user(user=ada, course_slug="spring")) == listed
        assert is_let_in(lambda: attempt_for_user(user=ada, **names)) == listed
        kept_out |= set() if listed else {(role, is_open)}

    assert kept_out == {(Role.FORMER, False), (Role.FORMER, True), (Role.GUEST, False)}
