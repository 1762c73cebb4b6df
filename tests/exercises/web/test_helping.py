"""Help on the page: hints one at a time, the solution after honest tries, numbers that are passed on."""

from __future__ import annotations

import re
from datetime import timedelta

import pytest
from django.test import Client

from exercises.models import Attempt, HintTaken, User
from exercises.services.submission_create import submission_create
from tests.exercises.conftest import AttemptBy
from tests.exercises.responses import half_right_numbers, right_numbers, transposed_numbers
from tests.exercises.web.conftest import SignedIn, numeric_form, submit_address

SCRIPTED = {"HX-Request": "true"}
LESSON = "/en/courses/spring/lessons/first/"


@pytest.fixture
def by_hand(ada: User, attempt: AttemptBy) -> Attempt:
    return attempt(ada, "by-hand")


def address(attempt: Attempt, what: str) -> str:
    return submit_address(attempt).replace("/submit/", f"/{what}/")


def tried_twice(attempt: Attempt) -> None:
    for response in (half_right_numbers(attempt), transposed_numbers(attempt)):
        submission_create(attempt=attempt, raw_response=response)


def let_time_pass(seconds: int) -> None:
    for taken in HintTaken.objects.all():
        HintTaken.objects.filter(pk=taken.pk).update(created_at=taken.created_at - timedelta(seconds=seconds))


def test_a_hint_comes_alone_and_says_nothing_of_how_many_there_are(
    ada: User, by_hand: Attempt, as_user: SignedIn
) -> None:
    response = as_user(ada).post(address(by_hand, "hint"), headers=SCRIPTED)
    html = response.content.decode()

    assert response.status_code == 200
    assert html.strip().startswith('<div class="help" id="help-by-hand"')
    assert (html.count('class="hint"'), "Next hint" in html) == (1, True)
    assert re.search(r"\d+\s*(/|of)\s*\d+", re.sub(r"<math.*?</math>", "", html)) is None


def test_the_next_hint_too_soon_says_how_long_to_wait(ada: User, by_hand: Attempt, as_user: SignedIn) -> None:
    browser = as_user(ada)
    browser.post(address(by_hand, "hint"), headers=SCRIPTED)

    early = browser.post(address(by_hand, "hint"), headers=SCRIPTED)
    assert (early.status_code, 1 <= int(early["Retry-After"]) <= 10) == (429, True)
    assert "Try with this hint first" in early.content.decode()
    assert early.content.decode().count('class="hint"') == 1

    let_time_pass(10)
    assert browser.post(address(by_hand, "hint"), headers=SCRIPTED).content.decode().count('class="hint"') == 2


def test_without_scripts_a_hint_keeps_all_that_was_typed(ada: User, by_hand: Attempt, as_user: SignedIn) -> None:
    html = as_user(ada).post(address(by_hand, "hint"), {"q-0-0": "7.25", "q-0-1": ""}).content.decode()

    assert ("<h1" in html, 'value="7.25"' in html, html.count('class="hint"')) == (True, True, 1)


def test_a_hint_after_an_answer_leaves_its_result_in_sight(ada: User, by_hand: Attempt, as_user: SignedIn) -> None:
    wrong = half_right_numbers(by_hand)
    submission_create(attempt=by_hand, raw_response=wrong)

    html = as_user(ada).post(address(by_hand, "hint"), numeric_form(wrong)).content.decode()

    assert ('class="result"' in html, 'class="hint"' in html) == (True, True)


def test_hints_stay_on_the_lessons_page_and_end_with_their_button(
    ada: User, by_hand: Attempt, as_user: SignedIn
) -> None:
    browser = as_user(ada)
    for _ in range(3):
        assert browser.post(address(by_hand, "hint"), headers=SCRIPTED).status_code == 200
        let_time_pass(10)

    html = browser.get(LESSON).content.decode()
    assert (html.count('class="hint"'), "Next hint" in html) == (2, False)


def test_before_two_tries_there_is_no_solution_to_ask_for(ada: User, by_hand: Attempt, as_user: SignedIn) -> None:
    browser = as_user(ada)
    submission_create(attempt=by_hand, raw_response=half_right_numbers(by_hand))

    assert "Show me the solution" not in browser.get(LESSON).content.decode()
    response = browser.post(address(by_hand, "solution"), headers=SCRIPTED)
    assert (response.status_code, "Worked solution" in response.content.decode()) == (409, False)


@pytest.mark.parametrize("scripted", [True, False])
def test_after_two_tries_the_solution_is_shown_and_another_one_offered(
    ada: User, by_hand: Attempt, as_user: SignedIn, scripted: bool
) -> None:
    browser = as_user(ada)
    tried_twice(by_hand)
    assert "Show me the solution" in browser.get(LESSON).content.decode()

    response = browser.post(address(by_hand, "solution"), headers=SCRIPTED if scripted else {}, follow=True)
    html = response.content.decode()

    assert re.search(r'<details class="solution"\s+open>', html)
    assert ("does not count" in html, "Another one like this" in html, "Show me the solution" in html) == (
        True,
        True,
        False,
    )
    assert "state-shown" in html


def test_an_address_of_numbers_offers_them_and_leaves_mine_alone(
    ada: User, ben: User, attempt: AttemptBy, as_user: SignedIn
) -> None:
    adas, bens = attempt(ada, "by-hand"), attempt(ben, "by-hand")
    browser = as_user(ben)
    shared = f"/en/courses/spring/items/by-hand/?seed={adas.seed}"
    assert shared in as_user(ada).get(LESSON).content.decode()

    offered = browser.get(shared).content.decode()
    assert ("passed numbers of this exercise on" in offered, str(bens.public_id) in offered) == (True, True)
    assert Attempt.objects.filter(enrollment__user=ben).count() == 1

    browser.post("/en/courses/spring/items/by-hand/another/", {"seed": str(adas.seed)})
    taken = Attempt.objects.get(enrollment__user=ben, seed=adas.seed)
    assert taken.variant == adas.variant
    html = browser.get(shared).content.decode()
    assert ("passed numbers" in html, str(taken.public_id) in html) == (False, True)


def test_an_answer_to_older_numbers_leads_back_to_them(
    ada: User, by_hand: Attempt, attempt: AttemptBy, as_user: SignedIn
) -> None:
    attempt(ada, "by-hand", fresh=True)

    response = as_user(ada).post(submit_address(by_hand), numeric_form(right_numbers(by_hand)))

    assert response["Location"] == f"/en/courses/spring/items/by-hand/?seed={by_hand.seed}"


@pytest.mark.parametrize("seed", ["", "x", "-1", "1.5", "９", "1" * 40])
def test_a_seed_that_is_none_shows_the_readers_own_numbers(
    ada: User, by_hand: Attempt, as_user: SignedIn, seed: str
) -> None:
    response = as_user(ada).get("/en/courses/spring/items/by-hand/", {"seed": seed})
    assert (response.status_code, str(by_hand.public_id) in response.content.decode()) == (200, True)


@pytest.mark.parametrize("what", ["hint", "solution"])
def test_nobody_takes_help_for_another(
    ben: User, ines: User, otto: User, by_hand: Attempt, as_user: SignedIn, what: str
) -> None:
    for other in (ben, ines, otto):
        assert as_user(other).post(address(by_hand, what)).status_code == 404
    assert Client().post(address(by_hand, what)).status_code == 302
    assert as_user(by_hand.enrollment.user).get(address(by_hand, what)).status_code == 405
    assert HintTaken.objects.count() == 0


def test_the_page_of_an_item_is_for_members(otto: User, by_hand: Attempt, as_user: SignedIn) -> None:
    assert as_user(otto).get("/en/courses/spring/items/by-hand/").status_code == 404
    assert Client().get("/en/courses/spring/items/by-hand/").status_code == 302
