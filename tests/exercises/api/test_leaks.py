"""No answer, error or document holds an expected value, what is right, or a hidden case.

The seed of numbers is told, so that they can be passed on: it says no more than the numbers do. No other seed is.
"""

from __future__ import annotations

import pytest

from exercises.models import Attempt
from tests.exercises.api.addresses import COURSE, ITEMS, V1, attempt_path, codes, submit_path
from tests.exercises.grading import DUE, assigned
from tests.factories import AttemptFactory

# x W = [3721, 8063] appears nowhere in the givens, and in no wrong answer below.
GIVENS = {"x": [1000, 7], "W_Q": [[3, 8], [103, 9]]}
EXPECTED = ["3721", "8063"]
SEED = 8_123_456_789_012_345


@pytest.fixture
def started(ada, item, enrollment_of) -> Attempt:
    return AttemptFactory(
        enrollment=enrollment_of(ada),
        item=item("by-hand"),
        number=1,
        seed=SEED,
        variant={"seed": SEED, "values": GIVENS},
    )


def test_expected_numbers_are_told_neither_before_nor_after_failing(call, secret, ada, started):
    token = secret(ada)
    attempt, submit = attempt_path(started), submit_path(started)
    told = [
        call("GET", attempt, token),
        call("OPTIONS", attempt, token),
        call("OPTIONS", submit, token),
        call("POST", submit, token, {"fields": {"q": [["1", "2"]]}}),
        call("POST", submit, token, {"fields": {"q": [["3056", "103063"]]}}),
        call("POST", submit, token, {"fields": {"q": [["-3721", "1"]]}}),
        call("POST", submit, token, {"fields": {"q": "[[1], [2]]"}}),
        call("POST", submit, token, {"fields": {"q": [["a", "b"]]}}),
        call("POST", submit, token, {"fields": {"k": [["1", "2"]]}}),
        call("GET", f"{ITEMS}by-hand/submissions/", token),
        call("GET", attempt, token),
    ]
    assert {response.status_code for response in told} == {200, 201, 204, 400}
    for response in told:
        text = response.text.replace("-3721", "")
        assert [value for value in [*EXPECTED, "tolerance"] if value in text] == []


def test_choice_does_not_tell_what_is_right(call, secret, ada, attempt):
    token, started = secret(ada), attempt(ada, "pick")
    shown = call("GET", attempt_path(started), token).json()
    assert [sorted(option) for option in shown["options"]] == [["key", "text"]] * 2
    wrong = call("POST", submit_path(started), token, {"chosen": ["b"]}).text
    item = call("GET", f"{ITEMS}pick/", token).text
    texts = [wrong, item, call("GET", attempt_path(started), token).text]
    for text in texts:
        assert "is_right" not in text
        assert "对。" not in text


def test_code_item_tells_neither_derivation_nor_cases_nor_seed(call, secret, ada, attempt):
    token, started = secret(ada), attempt(ada, "program")
    texts = [call("GET", path, token).text for path in (f"{ITEMS}program/", attempt_path(started), ITEMS)]
    for text in texts:
        found = [word for word in ("project_rows", "hidden", "steps", "sizes", str(started.seed)) if word in text]
        assert found == []


def test_rubric_is_kept_for_whoever_marks(call, secret, ada, ines, attempt):
    texts = [call("GET", f"{ITEMS}in-words/", secret(user)).text for user in (ada, ines)]
    texts.append(call("GET", attempt_path(attempt(ada, "in-words")), secret(ada)).text)
    assert [text for text in texts if "looks for something" in text] == []


def test_no_page_to_browse_the_api_with(call, secret, ada):
    response = call("GET", COURSE, secret(ada), Accept="text/html,*/*;q=0.1")
    assert response["Content-Type"] == "application/json"
    assert call("GET", f"{V1}/courses/?format=api", secret(ada)).status_code in {400, 404}


def test_a_task_is_told_once_it_opens_and_its_title_before(call, secret, course, ada, ines, clock):
    assigned(course, opens_at=DUE)
    asked = [call("GET", f"{ITEMS}by-hand/", secret(user)) for user in (ada, ines)]
    listed = call("GET", ITEMS, secret(ada))
    assert [response.status_code for response in asked] == [409, 200]
    assert codes(asked[0]) == ["not_open_yet"]
    prompt = asked[1].json()["prompt"]["en"]
    assert (prompt in asked[0].text, prompt in listed.text, listed.status_code) == (False, False, 200)
    clock.move_to(DUE)
    assert call("GET", f"{ITEMS}by-hand/", secret(ada)).json()["prompt"]["en"] == prompt
