"""Labs in a browser without scripts: guess, see the tables worked out, reach the goal."""

from __future__ import annotations

import re
from html import unescape

import numpy as np
import pytest
from django.http import HttpResponse
from django.test import Client
from django.urls import reverse
from django.utils.translation import override

from exercises.models import Attempt, Submission, User
from exercises.web.lab_readouts import fixed, in_order
from exercises.web.lab_view import shade
from grader.marking.items import Convention
from tests.exercises.kinds import attempt_at
from tests.exercises.labs import LESSON, RIGHT, START, enroll_ada
from tests.exercises.web.conftest import SignedIn, submit_address


@pytest.fixture
def ada(db: None) -> User:
    return enroll_ada().user


@pytest.fixture
def browser(ada: User, as_user: SignedIn) -> Client:
    return as_user(ada)


def look(browser: Client, user: User, slug: str, form: dict, *, language: str = "en") -> HttpResponse:
    with override(language):
        address = reverse("look", args=["labs", slug, attempt_at(user, slug).public_id])
    return browser.post(address, form)


def look_in_columns(as_user: SignedIn, user: User, changed: dict) -> HttpResponse:
    """The open lab of a reader who has chosen columns."""
    user.convention = Convention.COLUMN
    user.save()
    browser = as_user(user)
    browser.get(LESSON)
    attempt = Attempt.objects.get(item__slug="lab")
    with override("en"):
        address = reverse("look", args=["labs", "lab", attempt.public_id])
    return browser.post(address, {"guess": "no", **START, **changed})


def send(browser: Client, user: User, slug: str, form: dict) -> HttpResponse:
    address = submit_address(attempt_at(user, slug), language="en", course="labs")
    return browser.post(address, form, headers={"hx-request": "true"})


def words(response: HttpResponse) -> str:
    return " ".join(unescape(re.sub(r"<[^>]+>", " ", response.content.decode())).split())


def table(response: HttpResponse, name: str) -> list[list[str]]:
    """The numbers of one table, row by row."""
    html = response.content.decode()
    body = html[html.index(f'data-table="{name}"') :]
    body = body[body.index("<tbody>") : body.index("</tbody>")]
    return [re.findall(r'<td class="shade-\w\d">([^<]*)</td>', row) for row in body.split("<tr>")[1:]]


def test_a_lab_is_closed_until_a_guess_is_made(browser: Client, ada: User) -> None:
    html = browser.get(LESSON).content.decode()
    assert ("attention-lab" in html, html.count("Keep this guess and open the lab")) == (False, 2)
    refused = look(browser, ada, "lab", {})
    assert (refused.status_code, "Make a guess before you submit" in words(refused)) == (422, True)


def test_a_guess_opens_the_lab_with_every_table_worked_out_and_stays(browser: Client, ada: User) -> None:
    opened = look(browser, ada, "lab", {"guess": "no"})
    assert (opened.status_code, Submission.objects.count()) == (200, 0)
    assert table(opened, "Q") == [["1.00", "0.00"], ["0.00", "1.00"], ["1.00", "1.00"]]
    assert table(opened, "attn_weights")[0] == ["0.42", "0.16", "0.42"]
    guesses = re.findall(r'name="guess"\s+value="(\w+)"[^>]*(checked|disabled)', opened.content.decode())
    assert sorted(guesses) == [("no", "checked"), ("yes", "disabled")]
    assert "any two tokens give each other the same" in words(opened)


def test_the_first_guess_holds_after_a_reload_and_against_another_one(browser: Client, ada: User) -> None:
    look(browser, ada, "lab", {"guess": "no"})

    reloaded = browser.get(LESSON).content.decode().split('id="item-lab"')[1].split('id="item-look"')[0]
    changed = look(browser, ada, "lab", {"guess": "yes", **RIGHT})
    unsaid = look(browser, ada, "lab", RIGHT)
    sent = send(browser, ada, "lab", {"guess": "yes", **RIGHT})

    assert ("attention-lab" in reloaded, "Keep this guess" in reloaded) == (True, False)
    for html in (reloaded, *(shown.content.decode() for shown in (changed, unsaid, sent))):
        found = re.findall(r'id="lab-option-(\w+)"\s+(checked|disabled)', html)
        assert sorted(found) == [("no", "checked"), ("yes", "disabled")]
    assert Submission.objects.get().raw_response["guess"] == "no"
    assert "As you guessed" in words(sent)


def test_tables_follow_what_was_typed_and_nothing_is_counted(browser: Client, ada: User) -> None:
    shown = look(browser, ada, "lab", {"guess": "no", **RIGHT, "W_Q-0-1": "12/2"})
    assert (shown.status_code, Submission.objects.count()) == (200, 0)
    assert table(shown, "logits")[0] == ["0.00", "6.00", "6.00"]
    assert 'value="12/2"' in shown.content.decode()
    assert "Largest gap: 6.00, between cat and sat" in words(shown)


def test_a_number_that_cannot_be_read_comes_back_with_its_place(browser: Client, ada: User) -> None:
    shown = look(browser, ada, "lab", {"guess": "no", **START, "W_K-1-0": "one"})
    html = shown.content.decode()
    assert shown.status_code == 422
    assert re.search(r'<a href="#lab-W_K-1-0">W_K, row 2, column 1', " ".join(html.split()))
    assert re.findall(r'name="(W_\w-\d-\d)"[^>]*aria-invalid="true"', html) == ["W_K-1-0"]
    assert 'value="one"' in html


def test_the_goal_is_judged_from_the_numbers_that_were_sent(browser: Client, ada: User) -> None:
    missed = send(browser, ada, "lab", {"guess": "no", **START})
    reached = send(browser, ada, "lab", {"guess": "no", **RIGHT})
    assert "Partly correct 1.33 of 2 points · 2 of 3 goals are reached · try 1" in words(missed)
    assert "“cat” gives “mat” a score of 1 and gets 1 back" in words(missed)
    assert "Every goal that you reach earns an equal share of the points." in words(missed)
    assert "Your guess is kept" in words(missed)
    assert "Correct 2 of 2 points · 3 of 3 goals are reached" in words(reached)
    assert ("As you guessed" in words(reached), "A symmetric table has no one-way street." in words(reached)) == (
        True,
        True,
    )


def test_a_lab_that_is_only_looked_at_asks_for_a_token(browser: Client, ada: User) -> None:
    opened = look(browser, ada, "look", {"guess": "no"})
    assert re.findall(r'<option value="(\d?)"', opened.content.decode()) == ["", "1", "2", "3"]
    assert "<noscript>" not in opened.content.decode().split('id="item-look"')[1]
    nothing = send(browser, ada, "look", {"guess": "no"})
    assert (nothing.status_code, "Choose the token" in words(nothing)) == (422, True)
    right = send(browser, ada, "look", {"guess": "no", "goal-1": "2"})
    assert "“it” looks at “tired” most" in words(right)
    assert '<option value="2" selected>' in " ".join(right.content.decode().split())


def test_for_a_reader_of_columns_all_but_the_tables_of_pairs_stand_as_their_transpose(
    ada: User, as_user: SignedIn
) -> None:
    shown = look_in_columns(as_user, ada, {"W_Q-0-1": "6"})
    html = shown.content.decode()

    assert "One token a column." in words(shown)
    assert table(shown, "X") == [["1.00", "0.00", "1.00"], ["0.00", "1.00", "1.00"]]
    assert table(shown, "Q") == [["1.00", "0.00", "1.00"], ["6.00", "1.00", "7.00"]]
    assert table(shown, "logits")[0] == ["1.00", "6.00", "7.00"]
    assert re.findall(r'name="(W_Q-\d-\d)".*?value="([^"]*)".*?aria-label="([^"]*)"', html, re.DOTALL) == [
        ("W_Q-0-0", "1", "W_q, row 1, column 1"),
        ("W_Q-1-0", "0", "W_q, row 1, column 2"),
        ("W_Q-0-1", "6", "W_q, row 2, column 1"),
        ("W_Q-1-1", "1", "W_q, row 2, column 2"),
    ]
    assert html.count("data-turned") == html.count("data-table") - 2


def test_in_columns_an_input_is_called_by_the_place_where_it_stands(ada: User, as_user: SignedIn) -> None:
    shown = look_in_columns(as_user, ada, {"W_K-1-0": "one"})

    assert re.search(r'<a href="#lab-W_K-1-0">W_k, row 1, column 2', " ".join(shown.content.decode().split()))


def test_only_pages_with_a_lab_load_its_script(browser: Client, ada: User) -> None:
    assert "exercises/lab." in browser.get(LESSON).content.decode()
    assert "exercises/lab." not in browser.get("/en/courses/labs/").content.decode()


def test_a_sent_lab_is_shown_as_it_was_sent(browser: Client, ada: User) -> None:
    send(browser, ada, "lab", {"guess": "no", **RIGHT})
    page = browser.get(f"/en/submissions/{Submission.objects.get().public_id}/")
    assert table(page, "logits")[0] == ["0.00", "6.00", "6.00"]
    assert "exercises/lab.js" in page.content.decode() or "exercises/lab." in page.content.decode()


def test_the_words_come_in_both_languages(browser: Client, ada: User) -> None:
    shown = words(look(browser, ada, "lab", {"guess": "no"}, language="zh-hans"))
    assert ("得分是对称的" in shown, "“猫”看“垫”的权重高于 0.4" in shown, "偏爱自己的：" in shown) == (True, True, True)


@pytest.mark.parametrize(
    ("value", "text"), [(0.125, "0.13"), (-0.125, "−0.13"), (-0.004, "0.00"), (1000.0, "1000.00"), (2.675, "2.67")]
)
def test_numbers_are_printed_with_two_decimals(value: float, text: str) -> None:
    assert fixed(value) == text


@pytest.mark.parametrize(
    ("value", "largest", "expected"), [(0.0, 0.0, "p0"), (1.0, 1.0, "p9"), (-0.5, 1.0, "n5"), (0.05, 1.0, "p0")]
)
def test_shades_follow_the_largest_number(value: float, largest: float, expected: str) -> None:
    assert shade(value, largest) == expected


@pytest.mark.parametrize(
    ("weights", "said"),
    [
        ([0.25, 0.25, 0.25, 0.25], "a = b = c = d"),
        ([0.1, 0.4, 0.1, 0.4], "b = d > a = c"),
        ([0.1, 0.2, 0.3, 0.4], "d > c > b > a"),
    ],
)
def test_equal_weights_are_not_told_as_an_order(weights, said):
    assert in_order(np.array(weights), "abcd") == said
