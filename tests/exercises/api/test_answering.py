"""The main job over HTTP: numbers in, response out, mark back."""

from __future__ import annotations

import threading
import time
from decimal import Decimal
from uuid import UUID

import pytest
from django.db import connection

from exercises.models import Attempt, Submission
from exercises.services.attempt_start import attempt_start
from exercises.services.mark_by_instructor import mark_by_instructor
from exercises.services.outcome_record import outcome_record
from tests.exercises.api.addresses import ITEMS, V1, codes, submit_path
from tests.exercises.outcomes import broken, marked
from tests.exercises.responses import RIGHT_CODE, right_numbers, transposed_numbers


@pytest.fixture
def submitted(call, secret, ada, attempt):
    """submitted(slug, body): what Ada gets for an answer to an item."""
    token = secret(ada)
    return lambda slug, body, **headers: call("POST", submit_path(attempt(ada, slug)), token, body, **headers)


def test_attempt_shows_the_numbers_and_what_is_asked(call, secret, ada):
    response = call("POST", f"{ITEMS}by-hand/attempts/", secret(ada), {})
    started = Attempt.objects.get()
    body = response.json()
    assert (response.status_code, body["id"], body["number"]) == (200, str(started.public_id), 1)
    assert body["created_at"] == started.created_at.isoformat().replace("+00:00", "Z")
    assert response["Location"] == f"{ITEMS}by-hand/attempts/{started.public_id}/"
    assert {given["name"]: given["values"] for given in body["givens"]} == started.variant["values"]
    assert [(each["name"], each["rows"], each["columns"], each["decimals"]) for each in body["asked"]] == [
        ("q", 1, 2, 2)
    ]
    assert call("GET", response["Location"], secret(ada)).json() == body


def test_attempt_is_continued_or_drawn_afresh(call, secret, ada):
    token, path = secret(ada), f"{ITEMS}by-hand/attempts/"
    first, again, fresh = (call("POST", path, token, body) for body in ({}, {"fresh": False}, {"fresh": True}))
    assert [response.status_code for response in (first, again, fresh)] == [200, 200, 201]
    assert [response.json()["number"] for response in (first, again, fresh)] == [1, 1, 2]


def test_attempt_may_be_started_without_a_body(call, secret, ada):
    assert call("POST", f"{ITEMS}pick/attempts/", secret(ada)).json()["options"] != []


def test_right_numbers(submitted, ada, attempt):
    response = submitted("by-hand", right_numbers(attempt(ada, "by-hand")))
    body = response.json()
    assert response.status_code == 201
    assert (body["mark"]["verdict"], body["mark"]["score"], body["mark"]["by"]) == ("correct", 2.0, "auto")
    assert (body["grading_progress"], body["stage"], body["is_repeat"]) == ("FullyGraded", "settled", False)
    assert response["Location"] == f"{V1}/submissions/{UUID(body['id'])}/"


def test_named_mistake_with_its_cells(submitted, ada, attempt):
    body = submitted("by-hand", transposed_numbers(attempt(ada, "by-hand"))).json()
    assert (body["mark"]["verdict"], body["mark"]["misconceptions"]) == ("incorrect", ["w_transposed"])
    assert body["feedback"]["field_marks"][0]["name"] == "q"
    assert set(body["feedback"]["field_marks"][0]["cells"][0]) <= {"wrong", "right"}
    assert body["feedback"]["findings"][0]["title"] == {"zh-hans": "误区 w_transposed", "en": "Mistake w_transposed"}


def test_numbers_may_come_as_numbers_or_as_one_text(call, secret, ada, attempt):
    for form in (lambda row: [row], lambda row: row, str, lambda row: [[f"{cell:g}" for cell in row]]):
        started = attempt(ada, "by-hand", fresh=True)
        row = [float(cell) for cell in right_numbers(started)["fields"]["q"][0]]
        body = call("POST", submit_path(started), secret(ada), {"fields": {"q": form(row)}}).json()
        assert body["mark"]["verdict"] == "correct"


def test_choice(submitted):
    wrong, right = submitted("pick", {"chosen": ["b"]}).json(), submitted("pick", {"chosen": ["a"]}).json()
    assert (wrong["mark"]["score"], wrong["mark"]["misconceptions"]) == (0.0, ["activations_are_parameters"])
    assert right["mark"]["verdict"] == "correct"


def test_text_waits_for_the_instructor_whose_mark_then_stands(call, secret, ada, ines, submitted):
    sent = submitted("in-words", {"text": "它在找什么"})
    assert (sent.status_code, sent.json()["stage"], sent.json()["mark"]) == (201, "with_instructor", None)
    mark_by_instructor(instructor=ines, submission=Submission.objects.get(), score=Decimal(2), comment="好")
    mark = call("GET", sent["Location"], secret(ada)).json()["mark"]
    assert (mark["by"], mark["score"], mark["comment"]) == ("instructor", 2.0, "好")


def test_code_is_accepted_and_its_mark_is_fetched_later(call, secret, ada, submitted):
    sent = submitted("program", {"code": RIGHT_CODE})
    assert (sent.status_code, sent["Retry-After"], sent.json()["mark"]) == (202, "1", None)
    assert call("GET", sent["Location"], secret(ada))["Retry-After"] == "1"
    outcome_record(outcome=marked(Submission.objects.get(), stdout="hello\ud800\0"))
    settled = call("GET", sent["Location"], secret(ada))
    assert (settled.json()["mark"]["score"], settled.json()["feedback"]["run"]["stdout"]) == (3.0, "hello�␀")
    assert "Retry-After" not in settled


def test_failure_of_ours_is_no_mark(call, secret, ada, submitted):
    sent = submitted("program", {"code": RIGHT_CODE})
    outcome_record(outcome=broken(Submission.objects.get()))
    body = call("GET", sent["Location"], secret(ada)).json()
    assert (body["grading_progress"], body["counted"], body["mark"], body["feedback"]) == ("Failed", False, None, None)


def test_third_program_at_a_time_is_asked_to_wait(submitted):
    statuses = [submitted("program", {"code": f"{RIGHT_CODE}# {number}\n"}).status_code for number in range(2)]
    third = submitted("program", {"code": f"{RIGHT_CODE}# 3\n"})
    assert statuses == [202, 202]
    assert (third.status_code, codes(third)) == (429, ["too_many_pending"])
    assert 1 <= int(third["Retry-After"]) <= 10


@pytest.mark.django_db(transaction=True)
def test_waiting_ends_with_the_verdict(broker, call, secret, ada, attempt, monkeypatch):
    monkeypatch.setattr("exercises.api.headers.LONGEST_WAIT_SECONDS", 60.0)

    def settle():
        deadline = time.monotonic() + 50
        while (row := Submission.objects.filter(sent_at__isnull=False).first()) is None:
            assert time.monotonic() < deadline, "the job was never sent"
            time.sleep(0.01)
        outcome_record(outcome=marked(row))
        connection.close()

    path, token = submit_path(attempt(ada, "program")), secret(ada)
    worker = threading.Thread(target=settle)
    worker.start()
    response = call("POST", path, token, {"code": RIGHT_CODE}, Prefer="respond-async, wait=90")
    worker.join()
    assert (response.status_code, response.json()["mark"]["verdict"]) == (201, "correct")
    assert response["Preference-Applied"] == "wait=60"


@pytest.mark.django_db(transaction=True)
def test_waiting_is_over_after_the_time_that_was_asked_for(broker, call, secret, ada, attempt):
    started = time.monotonic()
    response = call("POST", submit_path(attempt(ada, "program")), secret(ada), {"code": RIGHT_CODE}, Prefer="wait=1")
    assert (response.status_code, response["Preference-Applied"]) == (202, "wait=1")
    assert time.monotonic() - started >= 1


def test_same_answer_twice_is_one_submission(submitted, ada, attempt):
    body = transposed_numbers(attempt(ada, "by-hand"))
    first, second = submitted("by-hand", body), submitted("by-hand", body)
    assert (first.status_code, second.status_code) == (201, 200)
    assert (second.json()["id"], second.json()["is_repeat"]) == (first.json()["id"], True)
    assert Submission.objects.count() == 1


@pytest.mark.parametrize(
    ("cells", "pointers"),
    [
        ([["1", "nan"]], ["/fields/q/0/1"]),
        ([["eeee", "1e5e5"]], ["/fields/q/0/0", "/fields/q/0/1"]),
        (["1_0", "2"], ["/fields/q/0"]),
        ("[1 0x1]", ["/fields/q"]),
        ([["1", "2"], ["3", "4"]], ["/fields/q"]),
        ([["1"], ["2", "3"]], ["/fields/q"]),
        ([[True, None]], ["/fields/q"]),
        ([["1", '__import__("os")']], ["/fields/q/0/1"]),
        ([["1", "(" * 300 + "1" + ")" * 300]], ["/fields/q/0/1"]),
        ([["1", "9**9**9**9"]], ["/fields/q/0/1"]),
        ([["1", "1" * 50_000]], ["/fields/q/0/1"]),
        ([["1", "1e999"]], ["/fields/q/0/1"]),
        ([["1", "1/0"]], ["/fields/q/0/1"]),
        ([["1", "\ud800"]], ["/fields/q/0/1"]),
        ([], ["/fields/q"]),
        ({"0": "1"}, ["/fields/q"]),
        ([["", ""]], ["/fields"]),
    ],
)
def test_what_is_no_number_is_refused_with_its_place_and_not_counted(submitted, cells, pointers):
    response = submitted("by-hand", {"fields": {"q": cells}}, Accept_Language="en")
    assert response.status_code == 400
    assert set(codes(response)) == {"not_understood"}
    assert [error["pointer"] for error in response.json()["errors"]] == pointers
    assert Submission.objects.count() == 0


def test_place_in_a_pasted_matrix_is_told_in_words(submitted):
    detail = submitted("by-hand", {"fields": {"q": "[1 0x1]"}}, Accept_Language="en").json()["errors"][0]["detail"]
    assert detail.startswith("Row 1, column 2: ")


@pytest.mark.parametrize(
    ("slug", "body", "faults"),
    [
        ("by-hand", [], [("", "object_expected")]),
        ("by-hand", {}, [("/fields", "required")]),
        ("by-hand", {"code": "x"}, [("/fields", "required"), ("/code", "unknown_key")]),
        ("by-hand", {"fields": {}, "a/b~\ud800": 1}, [("/a~1b~0�", "unknown_key")]),
        ("by-hand", {"fields": {"k": [["1"]]}}, [("/fields", "not_understood")]),
        ("by-hand", {"fields": 3}, [("/fields", "not_understood")]),
        ("pick", {"chosen": "a"}, [("/chosen", "not_understood")]),
        ("pick", {"chosen": ["z"]}, [("/chosen", "not_understood")]),
        ("pick", {"chosen": []}, [("/chosen", "not_understood")]),
        ("program", {"code": 1}, [("/code", "not_understood")]),
        ("program", {"code": " \n"}, [("/code", "not_understood")]),
        ("program", {"code": "#" * 65_537}, [("/code", "not_understood")]),
        ("in-words", {"text": "\u200b"}, [("/text", "not_understood")]),
        ("in-words", {"text": "字" * 4001}, [("/text", "not_understood")]),
    ],
)
def test_body_that_is_no_response_is_refused(submitted, slug, body, faults):
    response = submitted(slug, body)
    assert response.status_code == 400
    assert [(error["pointer"], error["code"]) for error in response.json()["errors"]] == faults
    assert Submission.objects.count() == 0


@pytest.mark.parametrize("code", ["y = " + "-" * 60_000 + "1", "+0" * 30_000, "(" * 300 + ")" * 300, "a = 1\n" * 9_000])
def test_monstrous_source_is_only_stored_here(submitted, code):
    started = time.process_time()
    assert submitted("program", {"code": code}).status_code == 202
    assert time.process_time() - started < 5


def test_old_version_is_answered_as_it_was(call, secret, ada, attempt, item, enrollment_of):
    started = attempt_start(enrollment=enrollment_of(ada), item=item("by-hand"))
    version = started.item_version
    version.item.current_version = version.item.versions.create(
        number=2, digest="0" * 64, definition=version.definition | {"max_score": 5}
    )
    version.item.save()
    body = call("POST", submit_path(started), secret(ada), right_numbers(started)).json()
    assert body["mark"]["max_score"] == 2.0
