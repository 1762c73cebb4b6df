"""One shape for every error, in the caller's language, and nothing in it that is not meant for the caller."""

from __future__ import annotations

import pytest

from exercises.api import answering
from exercises.models import Submission
from exercises.services.attempt_start import attempt_start
from tests.exercises.api.addresses import COURSE, ITEMS, V1, codes, submit_path


def test_problem_speaks_the_language_that_is_asked_for(call):
    english = call("GET", f"{V1}/me/", Accept_Language="en").json()
    chinese = call("GET", f"{V1}/me/", Accept_Language="zh-CN,zh;q=0.9").json()
    assert english["detail"] == "Send a token in the Authorization header, as “Bearer <token>”."
    assert chinese["detail"] == "请在 Authorization 请求头中以 “Bearer <令牌>” 的形式发送令牌。"
    assert english["errors"] == [{"pointer": "", "code": "token_missing", "detail": english["detail"]}]
    assert english["instance"] == "/api/v1/me/"


@pytest.mark.parametrize("path", ["/api/v1/nothing/", "/api/v1/", "/api/v1/submissions/7/", "/api/v1/courses/a b/"])
@pytest.mark.parametrize("method", ["GET", "POST", "DELETE"])
def test_address_that_leads_nowhere_is_a_problem_too(call, method, path):
    response = call(method, path)
    assert (response.status_code, codes(response)) == (404, ["not_found"])


def test_missing_slash_leads_on_with_method_and_body(call, secret, ada):
    response = call("POST", f"{ITEMS}by-hand/attempts?x=1", secret(ada), {})
    assert (response.status_code, response["Location"]) == (308, f"{ITEMS}by-hand/attempts/?x=1")


def test_other_method_is_refused_and_options_tells_only_methods(call, secret, ada):
    refused = call("DELETE", COURSE, secret(ada))
    options = call("OPTIONS", COURSE, secret(ada))
    assert (refused.status_code, codes(refused), refused["Allow"]) == (
        405,
        ["method_not_allowed"],
        "GET, HEAD, OPTIONS",
    )
    assert (options.status_code, options.content, options["Allow"]) == (204, b"", "GET, HEAD, OPTIONS")


def test_other_media_types_are_refused(call, secret, ada, client):
    token = secret(ada)
    form = client.post(f"{ITEMS}by-hand/attempts/", {"fresh": "1"}, headers={"Authorization": f"Bearer {token}"})
    page = call("GET", COURSE, token, Accept="text/html")
    assert (form.status_code, codes(form)) == (415, ["unsupported_media_type"])
    assert (page.status_code, codes(page)) == (406, ["not_acceptable"])


def test_unknown_query_parameter_is_refused(call, secret, ada):
    response = call("GET", f"{COURSE}?verbose=1", secret(ada), Accept_Language="en")
    assert (response.status_code, codes(response)) == (400, ["unknown_query_parameter"])
    assert response.json()["detail"] == "Unknown query parameter: verbose."


def test_answers_are_kept_by_no_cache_and_run_nothing(call, secret, ada):
    response = call("GET", COURSE, secret(ada))
    assert response["Cache-Control"] == "private, no-store"
    assert response["Content-Type"] == "application/json"
    assert "Accept-Language" in response["Vary"]


def test_too_many_writes_are_slowed_down(call, secret, ada, monkeypatch, db):
    monkeypatch.setattr("exercises.api.base.WriteThrottle.rate", "2/min")
    token = secret(ada)
    statuses = [call("POST", f"{ITEMS}by-hand/attempts/", token, {}).status_code for _ in range(3)]
    slowed = call("POST", f"{ITEMS}by-hand/attempts/", token, {})
    assert statuses == [200, 200, 429]
    assert codes(slowed) == ["throttled"]
    assert 0 < int(slowed["Retry-After"]) <= 60
    assert call("GET", COURSE, token).status_code == 200


def test_what_nobody_foresaw_is_our_fault_and_tells_nothing_of_itself(
    client, secret, ada, attempt, monkeypatch, caplog
):
    def break_down(**_anything):
        raise ZeroDivisionError("the secret of the house")

    monkeypatch.setattr(answering, "submission_create", break_down)
    client.raise_request_exception = False
    response = client.post(
        submit_path(attempt(ada, "by-hand")),
        {"fields": {"q": [["1", "2"]]}},
        "application/json",
        headers={"Authorization": f"Bearer {secret(ada)}"},
    )
    assert (response.status_code, codes(response)) == (500, ["server_error"])
    assert "secret of the house" not in response.text
    assert "secret of the house" in caplog.text
    assert Submission.objects.count() == 0


def test_error_gives_the_database_back_as_it_was(call, secret, ada, item, enrollment_of):
    before = attempt_start(enrollment=enrollment_of(ada), item=item("by-hand"))
    refused = call("POST", f"{ITEMS}by-hand/attempts/", secret(ada), {"fresh": "yes"})
    assert codes(refused) == ["boolean_expected"]
    assert attempt_start(enrollment=enrollment_of(ada), item=item("by-hand")) == before
