"""Nothing that a learner's browser is sent before or after a wrong answer gives the right one away."""

from __future__ import annotations

import numpy as np
import pytest

from exercises.models import Attempt, User
from tests.exercises.conftest import AttemptBy
from tests.exercises.web.conftest import SignedIn, submit_address
from tests.factories import AttemptFactory

LESSON = "/en/courses/spring/lessons/first/"
# Numbers that no page holds by chance, so that a leak of their product would show.
GIVENS = {"x": [11.0, 23.0], "W_Q": [[101.0, 211.0], [307.0, 401.0]]}


@pytest.fixture
def telling_attempt(ada: User, attempt: AttemptBy) -> Attempt:
    first = attempt(ada, "by-hand")
    return AttemptFactory(enrollment=first.enrollment, item=first.item, number=2, variant={"seed": 1, "values": GIVENS})


def expected_numbers() -> list[str]:
    return [f"{value:g}" for value in np.array(GIVENS["x"]) @ np.array(GIVENS["W_Q"])]


def test_expected_numbers_are_in_no_page_before_or_after_failing(
    telling_attempt: Attempt, ada: User, as_user: SignedIn
) -> None:
    browser = as_user(ada)

    before = browser.get(LESSON)
    failed = browser.post(submit_address(telling_attempt), {"q-0-0": "1", "q-0-1": "2"}, headers={"hx-request": "true"})
    after = browser.get(LESSON)

    leaks = [number in page.content.decode() for page in (before, failed, after) for number in expected_numbers()]
    assert (failed.status_code, "101" in before.content.decode(), leaks) == (200, True, [False] * 6)


def test_expected_numbers_are_shown_once_they_have_been_found(
    telling_attempt: Attempt, ada: User, as_user: SignedIn
) -> None:
    first, second = expected_numbers()

    solved = as_user(ada).post(submit_address(telling_attempt), {"q-0-0": first, "q-0-1": second})
    page = as_user(ada).get(LESSON).content.decode()

    assert (solved.status_code, page.count(first) > 1) == (302, True)


def test_right_option_is_told_apart_by_nothing(ada: User, as_user: SignedIn) -> None:
    html = as_user(ada).get(LESSON).content.decode()

    form = html[html.index('<fieldset class="options"') :]
    options = form[: form.index("</fieldset>")].replace("pick-option-a", "KEY").replace("pick-option-b", "KEY")
    inputs = {
        " ".join(part.split()).replace('value="a"', "").replace('value="b"', "") for part in options.split("<input")[1:]
    }
    tags = {part[: part.index(">")] for part in inputs}
    assert len(tags) == 1


@pytest.mark.parametrize("word", ["w_transposed", "activations_are_parameters", "is computed", "misconception", "slip"])
def test_words_of_marking_are_not_sent_ahead(word: str, ada: User, as_user: SignedIn) -> None:
    assert word not in as_user(ada).get(LESSON).content.decode().lower()
