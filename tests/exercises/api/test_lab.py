"""Labs over the API: shown without a way to the goal, answered, refused with the place."""

from __future__ import annotations

import pytest

from exercises.models import User
from tests.exercises.api.addresses import V1, attempt_path, codes, submit_path
from tests.exercises.kinds import attempt_at
from tests.exercises.labs import enroll_ada

RIGHT = {"guess": "no", "fields": {"W_Q": [[0, 6], [0, -6]]}}


@pytest.fixture
def ada(db: None) -> User:
    return enroll_ada().user


def test_an_attempt_shows_what_the_lab_starts_from(ada, call, secret):
    token = secret(ada)
    shown = call("GET", attempt_path(attempt_at(ada, "lab")), token).json()
    assert [given["name"] for given in shown["givens"]] == ["X", "W_Q", "W_K"]
    assert [(field["name"], field["rows"], field["columns"]) for field in shown["asked"]] == [
        ("W_Q", 2, 2),
        ("W_K", 2, 2),
    ]
    assert sorted(option["key"] for option in shown["options"]) == ["no", "yes"]
    assert "6" not in str(shown["givens"])
    item = call("GET", f"{V1}/courses/labs/items/lab/", token).json()
    assert (item["kind"], item["question"]["en"]) == ("lab", "Can it be done with $W_Q = W_K$?")


@pytest.mark.parametrize(
    ("slug", "response", "verdict"),
    [
        ("lab", RIGHT, "correct"),
        ("lab", {"guess": "yes", "fields": {}}, "partially_correct"),
        ("look", {"guess": "no", "fields": {}, "named": {"goal-1": 2}}, "correct"),
    ],
)
def test_a_response_is_marked_at_once(slug, response, verdict, ada, call, secret):
    told = call("POST", submit_path(attempt_at(ada, slug)), secret(ada), response)
    assert (told.status_code, told.json()["mark"]["verdict"]) == (201, verdict)


@pytest.mark.parametrize(
    ("slug", "response", "pointer", "code"),
    [
        ("lab", {"guess": "no", "fields": {"W_Q": [["1", "x"], ["0", "1"]]}}, "/fields/W_Q/0/1", "not_understood"),
        ("lab", {"guess": "no", "fields": {"W_Q": [["1"]]}}, "/fields/W_Q", "not_understood"),
        ("lab", {"fields": {}}, "", "not_understood"),
        ("lab", {"guess": "no"}, "/fields", "required"),
        ("look", {"guess": "no", "fields": {}, "named": {"goal-1": 9}}, "/named/goal-1", "not_understood"),
        ("look", {"guess": "no", "fields": {}}, "/named/goal-1", "not_understood"),
    ],
)
def test_what_is_not_understood_has_its_place(slug, response, pointer, code, ada, call, secret):
    told = call("POST", submit_path(attempt_at(ada, slug)), secret(ada), response)
    assert (told.status_code, codes(told)[0], told.json()["errors"][0]["pointer"]) == (400, code, pointer)
