"""Strict JSON: what Python's reader would take, and must not be taken."""

from __future__ import annotations

import contextlib
import json
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from exercises.api.body import DEEPEST, MOST_BYTES, read_json
from exercises.api.problems import Refusal
from exercises.models import Submission
from tests.exercises.api.addresses import codes, submit_path

JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=8,
)


@pytest.mark.parametrize(
    ("body", "code"),
    [
        (b"", "body_not_json"),
        (b"{", "body_not_json"),
        (b"{'a': 1}", "body_not_json"),
        (b'{"fields": {}} x', "body_not_json"),
        (b'\xef\xbb\xbf{"fields": {}}', "body_not_json"),
        (b"\xff\xfe{\x00}\x00", "body_not_utf8"),
        (b'{"a": NaN}', "number_not_json"),
        (b'{"a": Infinity}', "number_not_json"),
        (b'{"a": [-Infinity]}', "number_not_json"),
        (b'{"a": 1e999}', "number_too_large"),
        (b'{"a": ' + b"1" * 50_000 + b"}", "number_too_large"),
        (b'{"a": 1, "b": 2, "a": 3}', "key_twice"),
        (b"[" * (DEEPEST + 1) + b"]" * (DEEPEST + 1), "nested_too_deeply"),
        (b"[" * 100_000 + b"]" * 100_000, "nested_too_deeply"),
        (b'{"a":' * 50_000 + b"1" + b"}" * 50_000, "nested_too_deeply"),
    ],
)
def test_refused(body, code):
    started = time.process_time()
    with pytest.raises(Refusal) as refusal:
        read_json(body)
    assert (refusal.value.status_code, refusal.value.faults[0].code) == (400, code)
    assert time.process_time() - started < 5


def test_deepest_is_read():
    assert read_json(b"[" * DEEPEST + b"]" * DEEPEST) == json.loads("[" * DEEPEST + "]" * DEEPEST)


@given(JSON)
def test_everything_else_is_read_as_it_is(value):
    assert read_json(json.dumps(value).encode()) == value


@given(st.binary(max_size=80))
def test_any_bytes_are_read_or_refused(body):
    with contextlib.suppress(Refusal):
        assert json.dumps(read_json(body), allow_nan=False)


def test_many_keys_of_which_the_last_is_double_are_refused_at_once():
    pairs = ",".join(f'"k{number}":0' for number in range(40_000))
    started = time.process_time()
    with pytest.raises(Refusal):
        read_json(f'{{{pairs},"k39999":1}}'.encode())
    assert time.process_time() - started < 5


def test_body_over_the_limit_is_413(call, secret, ada, attempt):
    body = json.dumps({"code": "#" * MOST_BYTES})
    response = call("POST", submit_path(attempt(ada, "program")), secret(ada), body, Accept_Language="en")
    assert (response.status_code, codes(response)) == (413, ["body_too_large"])
    assert response.json()["detail"] == "A body has at most 512 KiB."


def test_body_in_chunks_is_not_taken_for_an_empty_one(call, secret, ada, attempt):
    response = call("POST", submit_path(attempt(ada, "pick")), secret(ada), "", Transfer_Encoding="chunked")
    assert (response.status_code, codes(response)) == (411, ["length_required"])


def test_largest_code_passes_however_it_is_escaped(call, secret, ada, attempt):
    code = "#" + "\x01" * (64 * 1024 - 1)
    body = json.dumps({"code": code})
    assert len(body) > 6 * 64 * 1024
    assert call("POST", submit_path(attempt(ada, "program")), secret(ada), body).status_code == 202


@pytest.mark.parametrize("body", [b'{"fields": {"q": [[NaN, 1]]}}', b'{"fields": {"q": [[Infinity, 1]]}}', b'{"fields'])
def test_refused_body_is_not_counted(call, secret, ada, attempt, body):
    assert call("POST", submit_path(attempt(ada, "by-hand")), secret(ada), body).status_code == 400
    assert Submission.objects.count() == 0
