from __future__ import annotations

import re
from html import unescape

import pytest
from django.test import Client
from pytest_django import DjangoAssertNumQueries

from exercises.enums import Act, RoundStage
from exercises.models import AuditEntry, ClassRound, User
from exercises.services.submission_create import submission_create
from tests.exercises.conftest import AttemptBy
from tests.exercises.responses import right_numbers, transposed_numbers
from tests.exercises.web.conftest import SignedIn

PICK = "/en/courses/spring/items/pick/class/"
BY_HAND = "/en/courses/spring/items/by-hand/class/"


def words(html: str) -> str:
    return " ".join(unescape(re.sub(r"<[^>]+>", " ", html)).split())


def said(browser: Client, address: str) -> str:
    return words(browser.get(address).content.decode())


def act(browser: Client, address: str, name: str) -> None:
    assert browser.post(f"{address}act/", {"act": name}).status_code == 302


def test_projector_shows_first_how_many_then_what_then_what_is_right_and_no_name(
    ada: User, ben: User, ines: User, attempt: AttemptBy, as_user: SignedIn
) -> None:
    browser = as_user(ines)
    act(browser, PICK, "begin")
    submission_create(attempt=attempt(ada, "pick"), raw_response={"chosen": ["b"]})
    submission_create(attempt=attempt(ben, "pick"), raw_response={"chosen": ["a"]})
    submission_create(attempt=attempt(ines, "pick"), raw_response={"chosen": ["a"]})

    collecting = said(browser, PICK)
    assert ("2 of 2 have answered" in collecting, "Answers" in collecting) == (True, False)
    act(browser, PICK, "counts")
    counts = said(browser, PICK)
    assert (counts.count(" 1 "), "Correct" in counts, "Mistake" in counts) == (2, False, False)
    act(browser, PICK, "revealed")
    revealed = said(browser, PICK)

    assert "Correct 1" in revealed
    assert "Mistake activations_are_parameters 1" in revealed
    assert [name for name in ("Ada", "Ben") if name in revealed] == []
    act(browser, PICK, "revealed")
    assert list(AuditEntry.objects.order_by("pk").values_list("act", "detail__stage")) == [
        (Act.CLASS_ROUND, None),
        (Act.CLASS_STAGE, "counts"),
        (Act.CLASS_STAGE, "revealed"),
    ]


def test_round_counts_each_students_latest_answer_since_it_began(
    ada: User, ines: User, attempt: AttemptBy, as_user: SignedIn
) -> None:
    mine = attempt(ada, "by-hand")
    submission_create(attempt=mine, raw_response=transposed_numbers(mine))
    browser = as_user(ines)
    act(browser, BY_HAND, "begin")
    assert "0 of 1 have answered" in said(browser, BY_HAND)

    fresh = attempt(ada, "by-hand", fresh=True)
    submission_create(attempt=fresh, raw_response=transposed_numbers(fresh))
    submission_create(attempt=fresh, raw_response=right_numbers(fresh))
    act(browser, BY_HAND, "revealed")

    page = said(browser, BY_HAND)
    assert ("1 of 1 have answered" in page, "Correct 1" in page, "Not yet correct 0" in page) == (True, True, True)
    assert "q = [" not in page  # everybody has numbers of their own


def test_answers_in_words_are_not_shown_to_the_class(
    ada: User, ines: User, attempt: AttemptBy, as_user: SignedIn
) -> None:
    address = "/en/courses/spring/items/in-words/class/"
    browser = as_user(ines)
    act(browser, address, "begin")
    submission_create(attempt=attempt(ada, "in-words"), raw_response={"text": "My own words."})
    act(browser, address, "counts")

    page = said(browser, address)

    assert ("1 of 1 have answered" in page, "My own words" in page, "all different" in page) == (True, False, True)


@pytest.mark.parametrize("name", ["counts", "no such stage"])
def test_act_before_a_round_or_without_a_name_changes_nothing(name: str, ines: User, as_user: SignedIn) -> None:
    browser = as_user(ines)
    act(browser, PICK, name)
    assert ClassRound.objects.count() == 0
    act(browser, PICK, "begin")
    act(browser, PICK, "no such stage")
    assert ClassRound.objects.get().stage == RoundStage.COLLECTING


def test_page_that_has_not_changed_costs_no_page_and_one_small_query(
    ada: User,
    ines: User,
    attempt: AttemptBy,
    as_user: SignedIn,
    django_assert_num_queries: DjangoAssertNumQueries,
) -> None:
    browser = as_user(ines)
    act(browser, PICK, "begin")
    etag = browser.get(PICK)["ETag"]

    with django_assert_num_queries(6):  # session, user, membership, item, round, and the one that looks for answers
        unchanged = browser.get(PICK, headers={"if-none-match": etag})
    assert (unchanged.status_code, unchanged.content) == (304, b"")

    submission_create(attempt=attempt(ada, "pick"), raw_response={"chosen": ["b"]})
    assert browser.get(PICK, headers={"if-none-match": etag}).status_code == 200
    etag = browser.get(PICK)["ETag"]
    act(browser, PICK, "counts")
    assert browser.get(PICK, headers={"if-none-match": etag}).status_code == 200


def test_student_begins_no_round(ada: User, ines: User, otto: User, as_user: SignedIn) -> None:
    statuses = [as_user(user).post(f"{PICK}act/", {"act": "begin"}).status_code for user in (ada, otto)]

    assert (statuses, ClassRound.objects.count()) == ([404, 404], 0)
