from __future__ import annotations

import re
from html import unescape

import pytest
from django.http import HttpResponse
from django.test import Client

from exercises.models import Attempt, Submission, User
from exercises.services.outcome_record import outcome_record
from tests.exercises.conftest import AttemptBy
from tests.exercises.outcomes import broken, marked
from tests.exercises.responses import RIGHT_CODE, half_right_numbers, right_numbers, transposed_numbers
from tests.exercises.web.conftest import SignedIn, numeric_form, submit_address

SCRIPTED = {"hx-request": "true"}


def send(browser: Client, attempt: Attempt, form: dict, *, language: str = "en", scripted: bool = True) -> HttpResponse:
    headers = SCRIPTED if scripted else {}
    return browser.post(submit_address(attempt, language=language), form, headers=headers)


def words(response: HttpResponse) -> str:
    """What a reader sees: no tags, blanks as one."""
    return " ".join(unescape(re.sub(r"<[^>]+>", " ", response.content.decode())).split())


@pytest.fixture
def by_hand(ada: User, attempt: AttemptBy) -> Attempt:
    return attempt(ada, "by-hand")


@pytest.fixture
def program(ada: User, attempt: AttemptBy) -> Attempt:
    return attempt(ada, "program")


@pytest.mark.parametrize(
    ("language", "said"),
    [
        ("en", "Correct 2 of 2 points · 2 of 2 cells are right · try 1"),
        ("zh-hans", "正确 2 / 2 分 · 2 格对了 2 格 · 第 1 次作答"),
    ],
)
def test_right_answer_is_said_in_words(
    language: str, said: str, ada: User, by_hand: Attempt, as_user: SignedIn
) -> None:
    response = send(as_user(ada), by_hand, numeric_form(right_numbers(by_hand)), language=language)

    assert (response.status_code, said in words(response)) == (200, True)


def test_right_answer_offers_to_say_why(ada: User, by_hand: Attempt, as_user: SignedIn) -> None:
    browser = as_user(ada)

    wrong = send(browser, by_hand, numeric_form(half_right_numbers(by_hand)))
    right = send(browser, by_hand, numeric_form(right_numbers(by_hand)))

    assert ("Why is this right?" in words(wrong), "Why is this right?" in words(right)) == (False, True)
    assert "Your path beside it" in words(right)


@pytest.mark.parametrize(("language", "name"), [("en", "Mistake w_transposed"), ("zh-hans", "误区 w_transposed")])
def test_wrong_answer_names_the_mistake_beside_its_field(
    language: str, name: str, ada: User, by_hand: Attempt, as_user: SignedIn
) -> None:
    html = send(as_user(ada), by_hand, numeric_form(transposed_numbers(by_hand)), language=language).content.decode()

    field = html[html.index('<fieldset class="answer-field"') : html.index("</fieldset>")]
    assert f'<span class="finding-name">{name}</span>' in field


def test_each_cell_carries_its_state_as_word_icon_and_class(ada: User, by_hand: Attempt, as_user: SignedIn) -> None:
    html = send(as_user(ada), by_hand, numeric_form(half_right_numbers(by_hand))).content.decode()

    cells = re.findall(
        r'<td class="cell-(\w+)">.*?aria-describedby="([^"]+)".*?icons\.svg#(\w+).*?</svg>(\w+)', html, re.DOTALL
    )
    assert cells == [
        ("right", "by-hand-q-0-0-note", "check", "right"),
        ("wrong", "by-hand-q-0-1-note", "cross", "wrong"),
    ]


def test_typed_numbers_stay_as_they_were_typed(ada: User, by_hand: Attempt, as_user: SignedIn) -> None:
    html = send(as_user(ada), by_hand, {"q-0-0": " １。５", "q-0-1": "1/3"}).content.decode()

    assert re.findall(r'name="q-0-\d"[^>]*?value="([^"]*)"', html) == [" １。５", "1/3"]


@pytest.mark.parametrize(
    ("language", "head", "place"),
    [
        ("en", "Not sent yet, and not counted", "q, row 1, column 2"),
        ("zh-hans", "没有计为一次作答", "q，第 1 行第 2 列"),
    ],
)
def test_what_is_no_number_comes_back_with_place_and_remedy(
    language: str, head: str, place: str, ada: User, by_hand: Attempt, as_user: SignedIn
) -> None:
    response = send(as_user(ada), by_hand, {"q-0-0": "1", "q-0-1": "<b>two"}, language=language)
    html = response.content.decode()

    assert (response.status_code, Submission.objects.count()) == (422, 0)
    assert (head in html, f'<a href="#by-hand-q-0-1">{place}' in " ".join(html.split())) == (True, True)
    assert re.findall(r'name="q-0-\d"[^>]*?value="([^"]*)"', html) == ["1", "&lt;b&gt;two"]
    assert re.findall(r'name="(q-0-\d)"[^>]*?aria-invalid="true"', html) == ["q-0-1"]


def test_empty_form_is_refused_without_a_try(ada: User, by_hand: Attempt, as_user: SignedIn) -> None:
    response = send(as_user(ada), by_hand, {})

    assert (response.status_code, Submission.objects.count()) == (422, 0)


def test_refused_answer_hides_the_marks_of_the_one_before(ada: User, by_hand: Attempt, as_user: SignedIn) -> None:
    browser = as_user(ada)
    send(browser, by_hand, numeric_form(half_right_numbers(by_hand)))

    html = send(browser, by_hand, {"q-0-0": "x", "q-0-1": "1"}).content.decode()

    assert ("cell-right" in html, 'class="result"' in html) == (False, False)


def test_same_answer_again_is_recognised_and_not_counted(ada: User, by_hand: Attempt, as_user: SignedIn) -> None:
    browser, form = as_user(ada), numeric_form(right_numbers(by_hand))
    send(browser, by_hand, form)

    again = send(browser, by_hand, form)

    assert (Submission.objects.count(), "the same answer as your try 1" in words(again)) == (1, True)


@pytest.mark.parametrize("scripted", [True, False])
def test_an_earlier_answer_sent_again_comes_with_its_own_result_and_number(
    scripted: bool, ada: User, by_hand: Attempt, as_user: SignedIn
) -> None:
    browser = as_user(ada)
    send(browser, by_hand, numeric_form(half_right_numbers(by_hand)))
    send(browser, by_hand, numeric_form(right_numbers(by_hand)))

    again = send(browser, by_hand, numeric_form(half_right_numbers(by_hand)), scripted=scripted)

    assert ("as your try 1," in words(again), "Partly correct 1 of 2 points" in words(again)) == (True, True)
    assert "cells are right · try 1" in words(again)


def test_without_scripts_an_answer_leads_back_to_its_place(ada: User, by_hand: Attempt, as_user: SignedIn) -> None:
    response = send(as_user(ada), by_hand, numeric_form(right_numbers(by_hand)), scripted=False)

    assert (response.status_code, response["Location"]) == (302, "/en/courses/spring/lessons/first/#item-by-hand")


def test_without_scripts_a_refused_answer_is_a_page_that_keeps_it(
    ada: User, by_hand: Attempt, as_user: SignedIn
) -> None:
    response = send(as_user(ada), by_hand, {"q-0-0": "two", "q-0-1": "3"}, scripted=False)
    html = response.content.decode()

    assert (response.status_code, "<h1" in html, 'value="two"' in html, "Back to the lesson" in html) == (
        422,
        True,
        True,
        True,
    )


def test_another_variant_has_other_numbers_and_no_answer(ada: User, by_hand: Attempt, as_user: SignedIn) -> None:
    browser = as_user(ada)
    send(browser, by_hand, numeric_form(right_numbers(by_hand)))

    html = browser.post("/en/courses/spring/items/by-hand/another/", headers=SCRIPTED).content.decode()

    assert (str(by_hand.public_id) in html, 'class="result"' in html, "cell-right" in html) == (False, False, False)


def test_choice_shows_what_was_chosen_and_why_it_is_wrong(ada: User, attempt: AttemptBy, as_user: SignedIn) -> None:
    html = send(as_user(ada), attempt(ada, "pick"), {"chosen": "b"}).content.decode()

    assert re.findall(r'value="(\w)"\s[^>]*?checked', html) == ["b"]
    assert ("Mistake activations_are_parameters" in html, "Not yet correct" in html) == (True, True)


def test_choice_of_nothing_is_refused(ada: User, attempt: AttemptBy, as_user: SignedIn) -> None:
    assert send(as_user(ada), attempt(ada, "pick"), {}).status_code == 422


def test_free_text_waits_for_the_instructor_and_shows_the_rubric(
    ada: User, attempt: AttemptBy, as_user: SignedIn
) -> None:
    browser, in_words = as_user(ada), attempt(ada, "in-words")

    before = browser.get("/en/courses/spring/lessons/second/").content.decode()
    response = send(browser, in_words, {"text": "It <b>asks</b>.\r\nYes."})

    assert "Says that it looks for something" not in before
    assert (
        "Says that it looks for something" in words(response),
        "Your instructor will read it" in words(response),
    ) == (
        True,
        True,
    )
    assert "It &lt;b&gt;asks&lt;/b&gt;.\nYes.</textarea>" in response.content.decode()


@pytest.mark.parametrize("text", ["", " \u3000 ", "\u200b", "x" * 4001])
def test_free_text_that_says_nothing_or_too_much_is_refused_and_kept(
    text: str, ada: User, attempt: AttemptBy, as_user: SignedIn
) -> None:
    response = send(as_user(ada), attempt(ada, "in-words"), {"text": text})

    assert (response.status_code, Submission.objects.count()) == (422, 0)
    assert f"{text}</textarea>" in response.content.decode()


def test_code_over_the_limit_is_refused_and_kept(ada: User, program: Attempt, as_user: SignedIn) -> None:
    code = "#" * (64 * 1024 + 1)

    response = send(as_user(ada), program, {"code": code})

    assert (response.status_code, Submission.objects.count()) == (422, 0)
    assert (f"{code}</textarea>" in response.content.decode(), "64 KiB" in words(response)) == (True, True)


def test_code_with_the_broker_away_is_stored_and_says_so(
    ada: User, program: Attempt, as_user: SignedIn, broker_away: None, django_capture_on_commit_callbacks: object
) -> None:
    with django_capture_on_commit_callbacks(execute=True):
        response = send(as_user(ada), program, {"code": RIGHT_CODE})

    assert (response.status_code, Submission.objects.count()) == (200, 1)
    assert "The grading service is delayed" in words(response)
    assert "hx-get=" in response.content.decode()


def test_third_waiting_program_is_asked_to_wait_and_kept(
    ada: User, program: Attempt, as_user: SignedIn, broker_away: None
) -> None:
    browser = as_user(ada)
    for number in range(2):
        send(browser, program, {"code": f"{RIGHT_CODE}# {number}"})

    response = send(browser, program, {"code": f"{RIGHT_CODE}# third"})

    assert (response.status_code, Submission.objects.count()) == (429, 2)
    assert ("# third</textarea>" in response.content.decode(), "still waiting or running" in words(response)) == (
        True,
        True,
    )


def test_waiting_code_without_scripts_has_a_page_that_looks_again(
    ada: User, program: Attempt, as_user: SignedIn, broker_away: None
) -> None:
    browser = as_user(ada)

    response = send(browser, program, {"code": RIGHT_CODE}, scripted=False)
    waiting = browser.get(response["Location"]).content.decode()

    assert response["Location"] == f"/en/submissions/{Submission.objects.get().public_id}/"
    assert '<noscript><meta http-equiv="refresh" content="2"></noscript>' in waiting


def test_poll_slows_down_and_ends_with_the_result(
    ada: User, program: Attempt, as_user: SignedIn, broker_away: None
) -> None:
    browser = as_user(ada)
    send(browser, program, {"code": RIGHT_CODE})
    submission = Submission.objects.get()
    address = f"/en/submissions/{submission.public_id}/result/"

    pauses = [
        re.search(r"delay:(\d+)ms", browser.get(f"{address}?looks={looks}").content.decode())[1]
        for looks in ("0", "1", "2", "9", "x")
    ]
    outcome_record(outcome=marked(submission, stdout="<i>hello</i>"))
    settled = browser.get(f"{address}?looks=3")

    assert pauses == ["1000", "2000", "4000", "4000", "1000"]
    assert ("hx-get" in settled.content.decode(), "Correct 3 of 3 points" in words(settled)) == (False, True)
    assert "&lt;i&gt;hello&lt;/i&gt;" in settled.content.decode()
    assert "Measured: 3 ms of processor time, 40 MiB of memory" in words(settled)
    assert re.findall(r'id="(\w+-program)"\s+hx-swap-oob="true"', settled.content.decode()) == [
        "mark-program",
        "onward-program",
        "policy-program",
        "help-program",
        "links-program",
        "state-program",
    ]
    assert re.search("Next exercise: |Back to the course", words(settled))


def test_result_that_was_waited_for_brings_along_what_it_changes(
    ada: User, program: Attempt, as_user: SignedIn, broker_away: None
) -> None:
    browser = as_user(ada)
    settled = []
    for number, score in enumerate((1, 1, 3)):
        send(browser, program, {"code": f"{RIGHT_CODE}# {number}"})
        submission = Submission.objects.latest("pk")
        address = f"/en/submissions/{submission.public_id}/result/"
        assert "hx-swap-oob" not in browser.get(address).content.decode()
        outcome_record(outcome=marked(submission, score=score))
        settled.append(browser.get(address))

    offers = ("Show me the solution", "Back to the course", "Why is this right?")
    assert [[offer in words(each) for offer in offers] for each in settled] == [
        [False, False, False],
        [True, False, False],
        [False, True, True],
    ]
    assert not any("<textarea" in each.content.decode() for each in settled)


def test_failure_of_ours_is_said_to_be_ours(ada: User, program: Attempt, as_user: SignedIn, broker_away: None) -> None:
    browser = as_user(ada)
    send(browser, program, {"code": RIGHT_CODE})
    submission = Submission.objects.get()
    outcome_record(outcome=broken(submission))

    response = browser.get(f"/en/submissions/{submission.public_id}/")

    assert ("on our side" in words(response), "does not count as a try" in words(response)) == (True, True)
    assert ("Not yet correct" in words(response), RIGHT_CODE in unescape(response.content.decode())) == (False, True)


def test_instructor_reads_a_submission_without_a_form_to_send(
    ada: User, ines: User, by_hand: Attempt, as_user: SignedIn
) -> None:
    send(as_user(ada), by_hand, numeric_form(half_right_numbers(by_hand)))

    html = as_user(ines).get(f"/en/submissions/{Submission.objects.get().public_id}/").content.decode()

    assert ("Ada, sent" in html, '<fieldset class="item-form" disabled>' in html, "/submit/" in html) == (
        True,
        True,
        False,
    )


def test_earlier_submission_keeps_its_own_answer_and_marks(ada: User, by_hand: Attempt, as_user: SignedIn) -> None:
    browser = as_user(ada)
    send(browser, by_hand, numeric_form(half_right_numbers(by_hand)))
    earlier = Submission.objects.get()
    send(browser, by_hand, numeric_form(right_numbers(by_hand)))

    html = browser.get(f"/en/submissions/{earlier.public_id}/").content.decode()

    assert ("cell-wrong" in html, "Partly correct" in html, "Worked solution" in html) == (True, True, False)


@pytest.mark.parametrize(("place", "heading", "marks"), [("lessons/first", "h3", 1), ("items/by-hand", "h2", 0)])
def test_an_item_that_is_swapped_in_fits_its_page(
    ada: User, attempt: AttemptBy, as_user: SignedIn, place: str, heading: str, marks: int
) -> None:
    mine = attempt(ada, "by-hand")
    page = {"HX-Request": "true", "HX-Current-URL": f"http://testserver/en/courses/spring/{place}/"}

    html = (
        as_user(ada).post(submit_address(mine), numeric_form(half_right_numbers(mine)), headers=page).content.decode()
    )

    assert re.findall(r"<(h\d)", html)[0] == heading
    assert html.count('id="mark-by-hand"') == marks


def test_a_result_brings_an_instructor_nothing_that_their_page_has_no_place_for(
    ada: User, ines: User, program: Attempt, as_user: SignedIn, broker_away: None
) -> None:
    send(as_user(ada), program, {"code": RIGHT_CODE})
    submission = Submission.objects.get()
    outcome_record(outcome=marked(submission))

    parts = [as_user(user).get(f"/en/submissions/{submission.public_id}/result/") for user in (ada, ines)]

    assert ["hx-swap-oob" in part.content.decode() for part in parts] == [True, False]
    assert all("Correct 3 of 3 points" in words(part) for part in parts)
