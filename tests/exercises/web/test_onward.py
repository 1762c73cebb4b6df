"""What a page offers once an answer was judged: the next exercise, the two paths side by side, the rest of the review."""

from __future__ import annotations

import re

import pytest
from django.test import Client

from exercises.models import Attempt, User
from exercises.services.solution_show import solution_show
from exercises.services.submission_create import submission_create
from tests.exercises.conftest import AttemptBy
from tests.exercises.responses import right_numbers, transposed_numbers
from tests.exercises.web.conftest import SignedIn, numeric_form, submit_address

LESSON = "/en/courses/spring/lessons/first/"
WAY_ON = re.compile(r'<a\s+class="button"\s+href="([^"]+)"\s*>Next exercise: ([^<]+)')


def item_address(attempt: Attempt) -> str:
    return f"/en/courses/spring/items/{attempt.item.slug}/?seed={attempt.seed}"


@pytest.fixture
def solved(ada: User, attempt: AttemptBy) -> Attempt:
    mine = attempt(ada, "by-hand")
    submission_create(attempt=mine, raw_response=right_numbers(mine))
    return mine


@pytest.mark.parametrize("alone", [False, True])
def test_a_solved_item_leads_to_the_next_one(ada: User, solved: Attempt, as_user: SignedIn, *, alone: bool) -> None:
    browser = as_user(ada)
    before = browser.get(LESSON.replace("first", "second")).content.decode()

    html = browser.get(item_address(solved) if alone else LESSON).content.decode()

    assert (WAY_ON.findall(html), WAY_ON.findall(before)) == ([(f"{LESSON}#item-pick", "Which one is learned")], [])


def test_the_last_item_of_a_lesson_leads_back_to_the_course(ada: User, attempt: AttemptBy, as_user: SignedIn) -> None:
    mine = attempt(ada, "by-hand")
    mine.item.lesson.items.exclude(pk=mine.item_id).update(is_active=False)
    submission_create(attempt=mine, raw_response=right_numbers(mine))

    html = as_user(ada).get(item_address(mine)).content.decode()

    assert re.search(r'class="button"\s+href="/en/courses/spring/"\s*>Back to the course', html)


def test_a_shown_solution_stands_beside_what_the_learner_had(ada: User, attempt: AttemptBy, as_user: SignedIn) -> None:
    mine = attempt(ada, "by-hand")
    wrong = transposed_numbers(mine)
    submission_create(attempt=mine, raw_response=wrong)
    submission_create(attempt=mine, raw_response={"fields": {"q": [["700", "800"]]}})
    before = as_user(ada).get(item_address(mine)).content.decode()
    solution_show(attempt=mine)

    html = as_user(ada).get(item_address(mine)).content.decode()

    path = re.search(r'<section class="path".*?</section>', html, re.DOTALL)
    assert path is not None
    (right,) = right_numbers(mine)["fields"]["q"]
    words = " ".join(path[0].replace("</span>", "").split())
    assert [f"in the solution {cell}" in words for cell in right] == [True, True]
    assert '<section class="path"' not in before


@pytest.mark.parametrize("way", ["submit", "hint", "another"])
def test_a_review_without_scripts_stays_a_review(ada: User, attempt: AttemptBy, as_user: SignedIn, way: str) -> None:
    mine = attempt(ada, "by-hand")
    browser = as_user(ada)
    html = browser.get(f"{item_address(mine)}&review=1").content.decode()
    pattern = rf'(?:form)?action="([^"]*{"/another/" if way == "another" else f"{mine.public_id}/{way}/"}[^"]*)"'
    submission_create(attempt=mine, raw_response=transposed_numbers(mine))
    html = browser.get(f"{item_address(mine)}&review=1").content.decode()
    address = re.search(pattern, html)
    assert address is not None

    response = browser.post(address[1], numeric_form(right_numbers(mine)), follow=True)

    assert "Next in the review" in response.content.decode()


def test_outside_a_review_nothing_speaks_of_one(ada: User, solved: Attempt, as_user: SignedIn) -> None:
    response = as_user(ada).post(submit_address(solved), numeric_form(transposed_numbers(solved)), follow=True)

    assert response.redirect_chain == [(f"{LESSON}#item-by-hand", 302)]
    assert "review=1" not in response.content.decode()


@pytest.mark.parametrize(("language", "words"), [("en", "No connection"), ("zh-hans", "没有网络连接")])
def test_the_page_without_a_connection_is_the_same_for_everybody(
    ada: User, as_user: SignedIn, language: str, words: str
) -> None:
    User.objects.filter(pk=ada.pk).update(theme="dark", language="en")
    pages = [browser.get(f"/{language}/offline/") for browser in (as_user(ada), Client())]

    assert pages[0].content == pages[1].content
    assert words in pages[0].content.decode()
    assert not pages[1].cookies


def test_the_worker_for_days_without_a_connection_stands_above_all_pages(db: None) -> None:
    answer = Client().get("/offline.js")

    assert (answer.status_code, answer["Content-Type"]) == (200, "text/javascript; charset=utf-8")
    assert answer["Cache-Control"] == "no-cache"
