"""Running code over HTTP without counting it."""

from __future__ import annotations

import pytest

from exercises.enums import ApiScope
from exercises.models import Run, Submission
from exercises.services.run_record import run_record
from exercises.services.submission_create import submission_create
from tests.exercises.api.addresses import ITEMS, V1, codes
from tests.exercises.outcomes import broken_run, reported
from tests.exercises.responses import RIGHT_CODE

RUNS = f"{ITEMS}program/runs/"


@pytest.fixture
def run(call, secret, ada, broker):
    """run(body): what Ada gets for running code."""
    token = secret(ada)
    return lambda body, **headers: call("POST", RUNS, token, body, **headers)


def test_a_run_is_accepted_and_its_report_fetched(call, secret, ada, run):
    sent = run({"code": RIGHT_CODE, "call": "project(1, 2)"})
    body = sent.json()
    assert (sent.status_code, sent["Retry-After"], body["stage"], body["report"]) == (202, "1", "queued", None)
    assert sent["Location"] == f"{V1}/runs/{body['id']}/"
    run_record(outcome=reported(Run.objects.get(), stdout="hello"))
    settled = call("GET", sent["Location"], secret(ada))
    assert (settled.status_code, settled.json()["stage"], settled.json()["call"]) == (200, "done", "project(1, 2)")
    assert settled.json()["report"]["stdout"] == "hello"
    assert settled.json()["report"]["cases"][0]["property"] == "values"
    assert "Retry-After" not in settled
    assert Submission.objects.count() == 0


def test_a_run_may_be_waited_for(call, secret, ada, run):
    waited = run({"code": RIGHT_CODE}, Prefer="wait=0.1, wait=1")
    assert (waited.status_code, waited["Preference-Applied"]) == (202, "wait=1")


def test_a_failure_of_ours_is_no_report(call, secret, ada, run):
    sent = run({"code": RIGHT_CODE})
    run_record(outcome=broken_run(Run.objects.get()))
    body = call("GET", sent["Location"], secret(ada)).json()
    assert (body["stage"], body["report"]) == ("failed", None)


def test_a_third_program_is_asked_to_wait_with_the_time(run, ada, attempt):
    assert run({"code": RIGHT_CODE}).status_code == 202
    submission_create(attempt=attempt(ada, "program"), raw_response={"code": RIGHT_CODE})
    third = run({"code": RIGHT_CODE})
    assert (third.status_code, codes(third)) == (429, ["too_many_pending"])
    assert 1 <= int(third["Retry-After"]) <= 10


def test_without_a_broker_nothing_runs(call, secret, ada, broker_away):
    response = call("POST", RUNS, secret(ada), {"code": RIGHT_CODE})
    assert (response.status_code, codes(response), response["Retry-After"]) == (503, ["cannot_run_now"], "10")
    assert Run.objects.count() == 0


@pytest.mark.parametrize(
    ("body", "faults"),
    [
        ({}, [("/code", "required")]),
        ({"code": "x", "seed": 1}, [("/seed", "unknown_key")]),
        ({"code": 1}, [("/code", "text_expected")]),
        ({"code": "x", "call": None}, [("/call", "text_expected")]),
        ({"code": " "}, [("/code", "not_understood")]),
        ({"code": "x", "call": "y" * 2001}, [("/call", "not_understood")]),
        ({"code": "\0x\x1a"}, [("/code", "not_understood"), ("/code", "not_understood")]),
    ],
)
def test_what_cannot_be_run_is_refused_with_its_place(run, body, faults):
    response = run(body)
    assert response.status_code == 400
    assert [(error["pointer"], error["code"]) for error in response.json()["errors"]] == faults
    assert Run.objects.count() == 0


def test_code_from_any_editor_is_the_same_program(run):
    run({"code": "\ufeffx = 1\r\ny = 2\r"})
    assert Run.objects.get().code == "x = 1\ny = 2\n"


def test_the_same_request_sent_again_runs_once(run):
    first, again = (run({"code": RIGHT_CODE}, Idempotency_Key="k1") for _ in range(2))
    assert (first.status_code, again.status_code) == (202, 200)
    assert first.json()["id"] == again.json()["id"]
    assert Run.objects.count() == 1


def test_only_programs_can_be_run(call, secret, ada):
    assert call("POST", f"{ITEMS}by-hand/runs/", secret(ada), {"code": "x"}).status_code == 404


def test_a_run_is_its_authors_alone(call, secret, ada, ben, ines, otto, course, other_course, run):
    address = run({"code": RIGHT_CODE})["Location"]
    for user in (ben, ines, otto):
        assert call("GET", address, secret(user)).status_code == 404
    assert call("GET", address, secret(ada, course=other_course)).status_code == 404
    assert call("GET", address, secret(ada, course=course)).status_code == 200
    assert call("GET", address, secret(ada, scopes=[ApiScope.SUBMIT])).status_code == 403
    assert call("POST", RUNS, secret(ada, scopes=[ApiScope.READ_SUBMISSIONS]), {"code": "x"}).status_code == 403
