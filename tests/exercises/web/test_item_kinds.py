"""Items about shapes, pairs, orders and predictions, answered in a browser without scripts."""

from __future__ import annotations

import re
from html import unescape

import pytest
from django.http import HttpResponse
from django.test import Client

from exercises.models import Submission, User
from tests.exercises.kinds import (
    LESSON,
    RIGHT_PAIRS,
    RIGHT_PLACES,
    RIGHT_SHAPES,
    attempt_at,
    enroll_ada,
    right_prediction,
)
from tests.exercises.web.conftest import SignedIn, numeric_form, submit_address

# What lies in the page's reach but belongs to marking alone.
SECRETS = ["changes with the input", "scale first", "computes nothing", "makes them equal", "its own projection"]


@pytest.fixture
def ada(db: None) -> User:
    return enroll_ada().user


@pytest.fixture
def browser(ada: User, as_user: SignedIn) -> Client:
    return as_user(ada)


def send(browser: Client, user: User, slug: str, form: dict, *, language: str = "en") -> HttpResponse:
    address = submit_address(attempt_at(user, slug), language=language, course="kinds")
    return browser.post(address, form, headers={"hx-request": "true"})


def words(response: HttpResponse) -> str:
    """What a reader sees: no tags, blanks as one."""
    return " ".join(unescape(re.sub(r"<[^>]+>", " ", response.content.decode())).split())


def prediction_form(user: User) -> dict[str, str]:
    right = right_prediction(attempt_at(user, "predict"))
    return {"guess": right["guess"], **numeric_form(right)}


def test_a_lesson_holds_every_kind_and_tells_nothing_of_what_is_right(browser: Client) -> None:
    html = browser.get(LESSON).content.decode()

    assert [slug for slug in ("shape", "match", "order", "predict") if f'id="item-{slug}"' not in html] == []
    assert [secret for secret in SECRETS if secret in html] == []
    assert re.findall(r"<option[^>]*selected|<input[^>]*checked", html) == []


@pytest.mark.parametrize(
    ("language", "said"),
    [
        ("en", "Correct 6 of 6 points · 4 of 4 shapes are right · try 1"),
        ("zh-hans", "正确 6 / 6 分 · 4 个形状对了 4 个"),
    ],
)
def test_right_shapes_are_right_however_written(language: str, said: str, browser: Client, ada: User) -> None:
    assert said in words(send(browser, ada, "shape", RIGHT_SHAPES, language=language))


def test_a_wrong_shape_has_its_name_beside_its_box_and_stays_as_typed(browser: Client, ada: User) -> None:
    html = send(browser, ada, "shape", {**RIGHT_SHAPES, "shape-Q": "Ｓ×64"}).content.decode()

    field = html[html.index('name="shape-Q"') :]
    field = field[: field.index("</fieldset>")]
    assert ("shape_transposed title" in field, 'value="Ｓ×64"' in field) == (True, True)
    assert html.count("finding-title") == 1


def test_what_is_no_shape_comes_back_with_its_place(browser: Client, ada: User) -> None:
    response = send(browser, ada, "shape", {**RIGHT_SHAPES, "shape-Q": "<b>"})
    html = response.content.decode()

    assert (response.status_code, Submission.objects.count()) == (422, 0)
    assert '<a href="#shape-shape-Q">Q:' in " ".join(html.split())
    assert re.findall(r'name="(shape-\w+)"[^>]*aria-invalid="true"', html) == ["shape-Q"]
    assert 'value="&lt;b&gt;"' in html


def test_pairs_are_marked_one_by_one(browser: Client, ada: User) -> None:
    form = {**RIGHT_PAIRS, "pair-Q": "parameter", "pair-d_k": ""}
    response = send(browser, ada, "match", form)
    html = response.content.decode()

    assert "Partly correct 1.5 of 3 points · 2 of 4 pairs are right" in words(response)
    chosen = re.findall(r'name="pair-(\w+)"\s+value="(\w+)"[^>]*checked', html)
    assert sorted(chosen) == [("K", "activation"), ("Q", "parameter"), ("W_Q", "parameter")]
    assert ("activations_are_trained title" in html, "changes with the input" in html) == (True, True)


def test_all_pairs_right_is_correct(browser: Client, ada: User) -> None:
    assert "正确 3 / 3 分 · 4 对配对了 4 对" in words(send(browser, ada, "match", RIGHT_PAIRS, language="zh-hans"))


def test_lines_in_a_right_order_are_correct_and_are_shown_in_it(browser: Client, ada: User) -> None:
    response = send(browser, ada, "order", RIGHT_PLACES)

    assert "Correct 5 of 5 points" in words(response)
    placed = re.findall(r'name="place-([\w-]+)"', response.content.decode())
    assert placed[:5] == ["q", "k", "logits", "scale", "softmax"]
    assert set(placed[5:]) == {"by-width", "print"}


def test_a_line_that_comes_too_early_and_one_that_does_not_belong_are_named(browser: Client, ada: User) -> None:
    form = {**RIGHT_PLACES, "place-softmax": "4", "place-scale": "5", "place-print": "6"}
    said = words(send(browser, ada, "order", form))

    assert ("softmax_before_scale title" in said, "this line computes nothing" in said) == (True, True)


def test_places_need_not_be_next_to_each_other(browser: Client, ada: User) -> None:
    form = {**RIGHT_PLACES, "place-scale": "6", "place-softmax": "7"}
    assert "Correct 5 of 5" in words(send(browser, ada, "order", form))


def test_two_lines_in_one_place_are_refused_and_kept(browser: Client, ada: User) -> None:
    response = send(browser, ada, "order", {**RIGHT_PLACES, "place-k": "1"})
    html = response.content.decode()

    assert (response.status_code, Submission.objects.count()) == (422, 0)
    assert "Several lines have the same place" in html
    selected = re.findall(r'name="place-([\w-]+)".*?</select>', html, re.DOTALL)
    assert (set(selected[:2]), html.count("selected")) == ({"q", "k"}, 5)


@pytest.mark.parametrize("form", [{}, {"place-q": ""}, {"place-q": "first"}, {"place-q": "²"}])
def test_an_order_of_nothing_is_refused(form: dict, browser: Client, ada: User) -> None:
    assert send(browser, ada, "order", form).status_code == 422


def test_a_guess_is_compared_once_the_numbers_are_right_and_cannot_be_changed(browser: Client, ada: User) -> None:
    form = prediction_form(ada)
    wrong = send(browser, ada, "predict", {**form, "logits-0-0": "99"})
    right = send(browser, ada, "predict", form)

    assert ("Your guess is kept" in words(wrong), "As you guessed" in words(wrong)) == (True, False)
    assert ("As you guessed" in words(right), "Why is this right?" in words(right)) == (True, True)
    guesses = re.findall(r'name="guess"\s+value="(\w+)"[^>]*(checked|disabled)', right.content.decode())
    assert sorted(guesses) == [("equal", "disabled"), ("unequal", "checked")]


def test_numbers_without_a_guess_are_refused_and_kept(browser: Client, ada: User) -> None:
    form = prediction_form(ada)
    response = send(browser, ada, "predict", {key: value for key, value in form.items() if key != "guess"})
    html = response.content.decode()

    assert (response.status_code, Submission.objects.count()) == (422, 0)
    assert re.search(r'<a href="#predict-option-\w+">Make a guess before you submit', " ".join(html.split()))
    assert f'value="{form["logits-0-0"]}"' in html


@pytest.mark.parametrize(
    ("slug", "anchor"), [("shape", "shape-shape-W_q"), ("match", "match-pair-"), ("order", "order-place-")]
)
def test_an_empty_form_is_refused_with_a_link_to_its_first_input(
    slug: str, anchor: str, browser: Client, ada: User
) -> None:
    response = send(browser, ada, slug, {})
    html = response.content.decode()

    assert (response.status_code, Submission.objects.count()) == (422, 0)
    linked = re.search(rf'<a href="#({anchor}[^"]*)"', html)
    assert linked
    assert f'id="{linked[1]}"' in html


def test_the_address_of_a_submission_shows_it_as_it_was_sent(browser: Client, ada: User) -> None:
    for slug, form in (("shape", RIGHT_SHAPES), ("match", RIGHT_PAIRS), ("order", RIGHT_PLACES)):
        send(browser, ada, slug, form)
    send(browser, ada, "predict", prediction_form(ada))

    pages = [browser.get(f"/en/submissions/{each.public_id}/") for each in Submission.objects.all()]
    assert [(page.status_code, "Correct" in words(page)) for page in pages] == [(200, True)] * 4


def test_tries_and_their_worth_are_told_and_the_last_refusal_keeps_what_was_typed(db: None, as_user: SignedIn) -> None:
    user = enroll_ada(match={"tries": 2, "penalties": [0, 0.5]}).user
    browser = as_user(user)

    first = send(browser, user, "match", {**RIGHT_PAIRS, "pair-Q": "constant"})
    second = send(browser, user, "match", {**RIGHT_PAIRS, "pair-Q": "parameter"}, language="zh-hans")
    third = send(browser, user, "match", RIGHT_PAIRS)

    assert "Tries left: 1 of 2. The next try earns 50 % of what it adds to your best." in words(first)
    assert "还可作答 0 次（共 2 次）" in words(second)
    assert (third.status_code, Submission.objects.count()) == (409, 2)
    assert "no tries are left for this exercise" in words(third)
    assert len(re.findall(r'name="pair-\w+"\s+value="\w+"[^>]*checked', third.content.decode())) == 4


def test_practice_says_nothing_of_tries(browser: Client, ada: User) -> None:
    said = words(send(browser, ada, "match", {**RIGHT_PAIRS, "pair-Q": "constant"}))
    assert ("Tries left" in said, "The next try" in said, "last try" in said) == (False, False, False)


def test_where_the_last_try_counts_the_page_says_so(db: None, as_user: SignedIn) -> None:
    user = enroll_ada(match={"counts": "last", "penalties": [0, 0.25]}).user
    said = words(send(as_user(user), user, "match", RIGHT_PAIRS))
    assert "The next try earns 75 % of its points. Your last try counts." in said
