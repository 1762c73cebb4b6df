"""A request that is sent again with its Idempotency-Key is carried out once."""

from __future__ import annotations

import threading
from collections import Counter
from datetime import timedelta

import pytest
from django.db import connection
from django.test import Client
from django.utils import timezone

from exercises.models import Attempt, IdempotencyKey, Submission
from exercises.services.idempotency_key import idempotency_key_take
from exercises.services.outcome_record import outcome_record
from tests.exercises.api.addresses import ITEMS, codes, submit_path
from tests.exercises.outcomes import broken
from tests.exercises.responses import RIGHT_CODE, right_numbers, transposed_numbers

ATTEMPTS = f"{ITEMS}by-hand/attempts/"


def test_second_request_answers_with_what_the_first_one_made(call, secret, ada):
    token = secret(ada)
    first, second = (call("POST", ATTEMPTS, token, {"fresh": True}, Idempotency_Key="a") for _ in range(2))
    assert (first.status_code, second.status_code) == (201, 200)
    assert first.json() == second.json()
    assert Attempt.objects.count() == 1


def test_other_keys_and_no_key_make_more(call, secret, ada):
    token = secret(ada)
    for headers in ({"Idempotency_Key": "a"}, {"Idempotency_Key": "b"}, {}):
        call("POST", ATTEMPTS, token, {"fresh": True}, **headers)
    assert Attempt.objects.count() == 3


def test_key_belongs_to_its_token(call, secret, ada):
    for token in (secret(ada), secret(ada)):
        assert call("POST", ATTEMPTS, token, {"fresh": True}, Idempotency_Key="a").status_code == 201


def test_key_of_another_request_is_refused(call, secret, ada, attempt):
    token, started = secret(ada), attempt(ada, "by-hand")
    call("POST", submit_path(started), token, right_numbers(started), Idempotency_Key="a")
    other_body = call("POST", submit_path(started), token, transposed_numbers(started), Idempotency_Key="a")
    other_address = call("POST", ATTEMPTS, token, {}, Idempotency_Key="a")
    assert [(each.status_code, codes(each)) for each in (other_body, other_address)] == [
        (422, ["idempotency_key_reused"])
    ] * 2
    assert Submission.objects.count() == 1


def test_refused_request_leaves_its_key_free(call, secret, ada, attempt):
    token, started = secret(ada), attempt(ada, "by-hand")
    refused = call("POST", submit_path(started), token, {"fields": {"q": [["x", "1"]]}}, Idempotency_Key="a")
    mended = call("POST", submit_path(started), token, right_numbers(started), Idempotency_Key="a")
    assert (refused.status_code, mended.status_code) == (400, 201)


def test_program_that_failed_by_our_fault_is_not_run_again_by_a_resend(call, secret, ada, attempt):
    token, path = secret(ada), submit_path(attempt(ada, "program"))
    first = call("POST", path, token, {"code": RIGHT_CODE}, Idempotency_Key="a")
    outcome_record(outcome=broken(Submission.objects.get()))
    second = call("POST", path, token, {"code": RIGHT_CODE}, Idempotency_Key="a")
    assert (second.json()["id"], second.json()["grading_progress"]) == (first.json()["id"], "Failed")
    assert Submission.objects.count() == 1


def test_key_of_a_running_request_is_busy_until_it_counts_as_abandoned(call, secret, ada):
    token = secret(ada)
    call("POST", ATTEMPTS, token, {"fresh": True}, Idempotency_Key="a")
    IdempotencyKey.objects.update(made=None)
    busy = call("POST", ATTEMPTS, token, {"fresh": True}, Idempotency_Key="a")
    IdempotencyKey.objects.update(taken_at=timezone.now() - timedelta(minutes=2))
    taken_over = call("POST", ATTEMPTS, token, {"fresh": True}, Idempotency_Key="a")
    assert (busy.status_code, codes(busy), busy["Retry-After"]) == (409, ["idempotency_key_busy"], "1")
    assert taken_over.status_code == 201


def test_key_is_forgotten_after_a_day(call, secret, ada):
    token = secret(ada)
    call("POST", ATTEMPTS, token, {"fresh": True}, Idempotency_Key="a")
    row = IdempotencyKey.objects.get()
    IdempotencyKey.objects.update(taken_at=timezone.now() - timedelta(days=1, seconds=1))
    assert idempotency_key_take(token=row.token, key="a", fingerprint="another") is None


@pytest.mark.parametrize("key", ["", " ", "a b", "ключ", "k" * 256])
def test_malformed_key_is_refused(call, secret, ada, key):
    response = call("POST", ATTEMPTS, secret(ada), {"fresh": True}, Idempotency_Key=key)
    assert (response.status_code, codes(response)) == (400, ["invalid_idempotency_key"])
    assert Attempt.objects.count() == 0


@pytest.mark.django_db(transaction=True)
def test_eight_at_once_make_one(secret, ada, attempt):
    started = attempt(ada, "by-hand")
    headers = {"Authorization": f"Bearer {secret(ada)}", "Idempotency-Key": "a"}
    start, statuses = threading.Barrier(8), []

    def send():
        start.wait()
        response = Client().post(submit_path(started), right_numbers(started), "application/json", headers=headers)
        statuses.append(response.status_code)
        connection.close()

    threads = [threading.Thread(target=send) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert Counter(statuses)[201] == 1
    assert set(statuses) <= {200, 201, 409}
    assert Submission.objects.count() == 1
