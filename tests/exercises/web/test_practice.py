from __future__ import annotations

import re

import pytest
from django.test import Client
from pytest_django import DjangoAssertNumQueries

from exercises.models import Attempt, User
from tests.exercises.conftest import AttemptBy
from tests.exercises.practised import answer, practise
from tests.exercises.web.conftest import SignedIn

SKILLS, REVIEW, NEXT = (f"/en/courses/spring/{page}/" for page in ("skills", "review", "review/next"))


def page(browser: Client, address: str) -> str:
    return " ".join(browser.get(address).content.decode().split())


@pytest.mark.parametrize("address", [SKILLS, REVIEW])
def test_only_members_see_them(address: str, ada: User, otto: User, as_user: SignedIn) -> None:
    statuses = [browser.get(address).status_code for browser in (as_user(ada), as_user(otto), Client())]

    assert statuses == [200, 404, 302]


def test_skills_show_their_evidence_with_its_day(ada: User, attempt: AttemptBy, as_user: SignedIn) -> None:
    practise("by-hand")
    sent = answer(attempt(ada, "by-hand"))

    html = page(as_user(ada), SKILLS)

    assert (f"/en/submissions/{sent.public_id}/" in html, "right at the first try" in html) == (True, True)
    assert ("Another 2 right first answers" in html, bool(re.search(r"Due again on [-\d]+ \(UTC\+8\)", html))) == (
        True,
        True,
    )


def test_skills_without_any_say_so(ada: User, as_user: SignedIn) -> None:
    assert "name no skills yet" in page(as_user(ada), SKILLS)


@pytest.mark.parametrize(("language", "words"), [("en", "Not begun"), ("zh-hans", "未开始")])
def test_skills_are_told_in_the_language_of_the_page(language: str, words: str, ada: User, as_user: SignedIn) -> None:
    practise("by-hand")

    assert words in page(as_user(ada), SKILLS.replace("/en/", f"/{language}/"))


@pytest.mark.parametrize("count", [1, 3])
@pytest.mark.parametrize("address", [SKILLS, REVIEW])
def test_pages_ask_the_database_five_times(
    address: str,
    count: int,
    ada: User,
    attempt: AttemptBy,
    as_user: SignedIn,
    django_assert_num_queries: DjangoAssertNumQueries,
) -> None:
    practise("by-hand", "pick")
    for _ in range(count):
        answer(attempt(ada, "by-hand", fresh=True))
    browser = as_user(ada)

    with django_assert_num_queries(6):
        browser.get(address)


def test_review_without_anything_due_says_when_the_next_one_is(
    ada: User, attempt: AttemptBy, as_user: SignedIn
) -> None:
    practise("by-hand")
    before = page(as_user(ada), REVIEW)
    answer(attempt(ada, "by-hand"))

    after = page(as_user(ada), REVIEW)

    assert ("comes back here after some days" in before, "The next review is on 20" in after) == (True, True)
    assert as_user(ada).post(NEXT)["Location"] == REVIEW


def test_review_gives_new_numbers_and_leaves_the_queue_once_answered(
    ada: User, attempt: AttemptBy, as_user: SignedIn
) -> None:
    practise("by-hand")
    answer(attempt(ada, "by-hand"), days_ago=300)
    browser = as_user(ada)

    first, again = (browser.post(NEXT)["Location"] for _ in range(2))
    new = Attempt.objects.get(number=2)
    shown = page(browser, first)
    answer(new)

    assert first == again == f"/en/courses/spring/items/by-hand/?seed={new.seed}&review=1"
    assert ("Next in the review" in shown, str(new.public_id) in shown) == (True, True)
    assert "Nothing is due today" in page(browser, REVIEW)


def test_an_item_outside_a_review_leads_back_to_its_lesson(ada: User, as_user: SignedIn) -> None:
    html = page(as_user(ada), "/en/courses/spring/items/by-hand/")

    assert ("Next in the review" in html, "Back to the lesson" in html) == (False, True)


def test_review_names_the_skills_of_the_sitting(ada: User, attempt: AttemptBy, as_user: SignedIn) -> None:
    practise("by-hand")
    answer(attempt(ada, "by-hand"), days_ago=300)

    assert re.findall(r'#skill-(\w+)"\s*>Projecting</a>', page(as_user(ada), REVIEW)) == ["projecting"]
