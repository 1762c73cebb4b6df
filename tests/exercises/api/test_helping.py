"""Hints, solutions and shared numbers over HTTP."""

from __future__ import annotations

import pytest

from exercises.enums import ApiScope
from exercises.models import Attempt, HintTaken
from exercises.services.submission_create import submission_create
from tests.exercises.api.addresses import ITEMS, attempt_path, codes
from tests.exercises.responses import half_right_numbers, right_numbers, transposed_numbers

NO_HELP = {"hints": [], "has_more_hints": True, "solution": [], "is_shown": False, "may_be_shown": False}


@pytest.fixture
def mine(ada, attempt):
    return attempt(ada, "by-hand")


def test_help_begins_with_nothing(call, secret, ada, mine):
    assert call("GET", f"{attempt_path(mine)}help/", secret(ada)).json() == NO_HELP


def test_hints_come_one_at_a_time(call, secret, ada, mine):
    token, path = secret(ada), f"{attempt_path(mine)}hints/"
    first = call("POST", path, token)
    assert (first.status_code, len(first.json()["hints"])) == (201, 1)
    assert sorted(first.json()["hints"][0]) == ["en", "zh-hans"]

    early = call("POST", path, token, {})
    assert (early.status_code, codes(early)) == (429, ["hint_too_soon"])
    assert 1 <= int(early["Retry-After"]) <= 10

    submission_create(attempt=mine, raw_response=half_right_numbers(mine))
    assert call("POST", path, token).json()["has_more_hints"] is False
    submission_create(attempt=mine, raw_response=transposed_numbers(mine))
    assert codes(call("POST", path, token)) == ["no_hint_left"]
    assert HintTaken.objects.count() == 2


def test_the_solution_comes_after_two_differing_answers_and_ends_the_counting(call, secret, ada, mine):
    token, path = secret(ada), f"{attempt_path(mine)}solution/"
    submission_create(attempt=mine, raw_response=half_right_numbers(mine))
    assert codes(call("POST", path, token)) == ["solution_not_yet"]
    submission_create(attempt=mine, raw_response=transposed_numbers(mine))
    assert call("GET", f"{attempt_path(mine)}help/", token).json()["may_be_shown"] is True

    shown = call("POST", path, token).json()
    assert (shown["is_shown"], len(shown["solution"])) == (True, 2)
    sent = call("POST", f"{attempt_path(mine)}submissions/", token, right_numbers(mine)).json()
    assert (sent["mark"]["verdict"], sent["counted"]) == ("correct", False)
    assert call("GET", f"{ITEMS}by-hand/", token).json()["state"] == "shown"


def test_a_seed_brings_the_numbers_of_somebody_else(call, secret, ada, ben, mine):
    path, seed = f"{ITEMS}by-hand/attempts/", mine.seed
    bens = call("POST", path, secret(ben), {"seed": seed}).json()
    adas = call("GET", attempt_path(mine), secret(ada)).json()
    assert (bens["seed"], bens["givens"], bens["id"] == adas["id"]) == (seed, adas["givens"], False)
    assert call("POST", path, secret(ben), {"seed": seed}).json()["id"] == bens["id"]
    assert Attempt.objects.filter(enrollment__user=ben).count() == 1


@pytest.mark.parametrize("seed", ["1", 1.5, -1, True, 2**60, [1]])
def test_what_is_no_seed_is_refused(call, secret, ada, seed):
    refused = call("POST", f"{ITEMS}by-hand/attempts/", secret(ada), {"seed": seed})
    assert (refused.status_code, codes(refused)) == (400, ["seed_expected"])


def test_an_item_names_its_skill_once_it_has_one(call, secret, ada, curriculum):
    assert call("GET", f"{ITEMS}by-hand/", secret(ada)).json()["skill"] == ""


@pytest.mark.parametrize(("method", "what"), [("GET", "help"), ("POST", "hints"), ("POST", "solution")])
def test_help_is_for_its_learner_alone(call, secret, ada, ben, ines, otto, mine, method, what):
    path = f"{attempt_path(mine)}{what}/"
    for other in (ben, ines, otto):
        assert call(method, path, secret(other)).status_code == 404
    assert call(method, path).status_code == 401
    assert call(method, path, secret(ada, scopes=[ApiScope.READ_GRADES])).status_code == 403
    assert HintTaken.objects.count() == 0


def test_a_body_that_nothing_reads_is_refused(call, secret, ada, mine):
    assert codes(call("POST", f"{attempt_path(mine)}hints/", secret(ada), {"rung": 4})) == ["unknown_key"]
