"""Items about shapes, pairs, orders and predictions over the API: shown without what is right, answered, refused with the place."""

from __future__ import annotations

import pytest

from exercises.models import User
from tests.exercises.api.addresses import V1, attempt_path, codes, submit_path
from tests.exercises.kinds import attempt_at, enroll_ada, right_prediction

RIGHT = {
    "shape": {"fields": {"W_q": [64, 768], "b_q": "(64,)", "Q": "[64, S]", "logits": "S×S"}},
    "match": {"pairs": {"W_Q": "parameter", "Q": "activation", "K": "activation", "d_k": "constant"}},
    "order": {"order": ["q", "k", "logits", "scale", "softmax"]},
}


@pytest.fixture
def ada(db: None) -> User:
    return enroll_ada().user


@pytest.mark.parametrize("slug", ["shape", "match", "order", "predict"])
def test_a_right_response_is_marked_at_once(slug, ada, call, secret):
    started = attempt_at(ada, slug)
    response = RIGHT.get(slug) or right_prediction(started)
    told = call("POST", submit_path(started), secret(ada), response)
    assert (told.status_code, told.json()["mark"]["verdict"]) == (201, "correct")


def test_an_attempt_shows_what_to_answer_and_not_what_is_right(ada, call, secret):
    token = secret(ada)
    shown = {slug: call("GET", attempt_path(attempt_at(ada, slug)), token) for slug in (*RIGHT, "predict")}
    assert [given["values"] for given in shown["shape"].json()["givens"]] == [[768, "S"], [64, 768]]
    assert [sorted(entry) for entry in shown["match"].json()["entries"]] == [["key", "text"]] * 4
    assert [target["key"] for target in shown["match"].json()["targets"]] == ["parameter", "activation", "constant"]
    assert [sorted(line) for line in shown["order"].json()["lines"]] == [["is_code", "key", "text"]] * 7
    assert [sorted(option) for option in shown["predict"].json()["options"]] == [["key", "text"]] * 2
    item = call("GET", f"{V1}/courses/kinds/items/predict/", token).json()
    assert item["question"]["en"] == "Are $s_{12}$ and $s_{21}$ equal?"


@pytest.mark.parametrize(
    ("slug", "response", "pointer", "code"),
    [
        ("shape", {"fields": {"Q": "768×N"}}, "/fields/Q", "not_understood"),
        ("shape", {"fields": {"Q": {}}}, "/fields", "not_understood"),
        ("match", {"pairs": {"Q": "Z"}}, "/pairs/Q", "not_understood"),
        ("match", {"pairs": {}}, "/pairs", "not_understood"),
        ("order", {"order": ["q", "q"]}, "/order", "not_understood"),
        ("order", {"order": [["q"], 1]}, "/order", "not_understood"),
        (
            "predict",
            {"guess": "equal", "fields": {"logits": [["1", "x", "2"]]}},
            "/fields/logits/0/1",
            "not_understood",
        ),
        ("predict", {"guess": "", "fields": {"logits": [["1", "1", "2"]]}}, "", "not_understood"),
        ("predict", {"guess": "equal"}, "/fields", "required"),
        ("match", {"order": ["q"]}, "/pairs", "required"),
    ],
)
def test_what_is_not_understood_has_its_place(slug, response, pointer, code, ada, call, secret):
    told = call("POST", submit_path(attempt_at(ada, slug)), secret(ada), response)
    assert (told.status_code, codes(told)[0], told.json()["errors"][0]["pointer"]) == (400, code, pointer)


def test_a_try_too_many_has_its_own_error_and_the_item_tells_its_policy(db, call, secret):
    ada = enroll_ada(order={"tries": 1, "penalties": [0.25]}).user
    token, started = secret(ada), attempt_at(ada, "order")
    told = call("GET", f"{V1}/courses/kinds/items/order/", token).json()
    assert told["policy"] == {"tries": 1, "penalties": [0.25], "counts": "best"}
    assert call("POST", submit_path(started), token, {"order": ["q"]}).status_code == 201
    refused = call("POST", submit_path(started), token, RIGHT["order"])
    assert (refused.status_code, codes(refused)) == (409, ["no_tries_left"])
    assert call("POST", submit_path(started), token, {"order": ["q"]}).status_code == 200
