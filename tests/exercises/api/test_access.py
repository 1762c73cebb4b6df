"""Who gets what: the cast, and tokens that are unknown, revoked, expired, of another scope or of another course."""

from __future__ import annotations

from datetime import timedelta

import pytest
from allauth.mfa.models import Authenticator
from django.utils import timezone

from exercises.enums import ApiScope
from exercises.models import ApiToken, Attempt, Enrollment, Submission
from exercises.services.submission_create import submission_create
from tests.exercises.api.addresses import COURSE, ITEMS, V1, attempt_path, codes, submit_path
from tests.exercises.responses import right_numbers
from tests.factories import EnrollmentFactory

READ = {
    "me": f"{V1}/me/",
    "courses": f"{V1}/courses/",
    "course": COURSE,
    "items": ITEMS,
    "item": f"{ITEMS}by-hand/",
    "submissions": f"{ITEMS}by-hand/submissions/",
    "grades": f"{COURSE}grades/",
}
SCOPES = {
    "courses": ApiScope.READ_ITEMS,
    "course": ApiScope.READ_ITEMS,
    "items": ApiScope.READ_ITEMS,
    "item": ApiScope.READ_ITEMS,
    "submissions": ApiScope.READ_SUBMISSIONS,
    "grades": ApiScope.READ_GRADES,
}
OF_A_COURSE = ["course", "items", "item", "submissions", "grades"]


@pytest.fixture
def adas_attempt(ada, attempt) -> Attempt:
    return attempt(ada, "by-hand")


@pytest.fixture
def adas_submission(adas_attempt) -> Submission:
    return submission_create(attempt=adas_attempt, raw_response=right_numbers(adas_attempt)).submission


@pytest.mark.parametrize("name", READ)
def test_member_reads(call, secret, ada, name):
    assert call("GET", READ[name], secret(ada)).status_code == 200


@pytest.mark.parametrize("name", READ)
def test_without_a_token_nothing_is_read(call, course, name):
    response = call("GET", READ[name])
    assert (response.status_code, codes(response)) == (401, ["token_missing"])
    assert response["WWW-Authenticate"] == 'Bearer realm="api"'


@pytest.mark.parametrize("name", OF_A_COURSE)
def test_member_of_another_course_reads_as_if_there_were_none(call, secret, course, otto, name):
    forbidden = call("GET", READ[name], secret(otto))
    unknown = call("GET", READ[name].replace("spring", "winter"), secret(otto))
    assert (forbidden.status_code, codes(forbidden)) == (404, ["not_found"])
    assert forbidden.json() | {"instance": ""} == unknown.json() | {"instance": ""}


@pytest.mark.parametrize("name", SCOPES)
def test_token_without_the_scope_is_refused(call, secret, ada, name):
    others = [scope for scope in ApiScope.values if scope != SCOPES[name]]
    response = call("GET", READ[name], secret(ada, scopes=others))
    assert (response.status_code, codes(response)) == (403, ["insufficient_scope"])
    assert f'scope="{SCOPES[name].value}"' in response["WWW-Authenticate"]
    assert call("GET", READ[name], secret(ada, scopes=[SCOPES[name]])).status_code == 200


@pytest.mark.parametrize("name", OF_A_COURSE)
def test_token_of_another_course_opens_nothing_here(call, secret, ada, course, other_course, name):
    EnrollmentFactory(user=ada, course=other_course)
    assert call("GET", READ[name], secret(ada, course=other_course)).status_code == 404
    assert call("GET", READ[name], secret(ada, course=course)).status_code == 200
    assert call("GET", READ[name], secret(ada)).status_code == 200


def test_token_of_one_course_lists_that_course_alone(call, secret, ada, course, other_course):
    EnrollmentFactory(user=ada, course=other_course)
    limited = call("GET", f"{V1}/courses/", secret(ada, course=course)).json()
    free = call("GET", f"{V1}/courses/", secret(ada)).json()
    assert [row["slug"] for row in limited["results"]] == ["spring"]
    assert [row["slug"] for row in free["results"]] == ["autumn", "spring"]


@pytest.mark.parametrize(
    "spoil",
    [
        {"revoked_at": timezone.now()},
        {"expires_at": timezone.now() - timedelta(seconds=1)},
    ],
    ids=["revoked", "expired"],
)
def test_token_that_is_no_longer_good_is_refused(call, secret, ada, spoil):
    response = call("GET", f"{V1}/me/", secret(ada, **spoil))
    assert (response.status_code, codes(response)) == (401, ["token_refused"])
    assert 'error="invalid_token"' in response["WWW-Authenticate"]


def test_token_of_somebody_who_may_not_sign_in_is_refused(call, secret, ada):
    token = secret(ada)
    ada.is_active = False
    ada.save()
    assert call("GET", f"{V1}/me/", token).status_code == 401


@pytest.mark.parametrize("header", ["Bearer ", "Bearer unknown", "Basic YTpi", "Bearer", "Bearer \ud800", "qkv_x"])
def test_header_that_is_no_good_token_is_refused(call, ada, header):
    response = call("GET", f"{V1}/me/", Authorization=header.encode("utf-8", "replace").decode())
    assert (response.status_code, codes(response)) == (401, ["token_refused"])


def test_token_in_the_address_is_no_token(call, secret, ada):
    assert call("GET", f"{V1}/me/?access_token={secret(ada)}").status_code == 401


def test_session_of_the_pages_opens_nothing(client, ada):
    client.force_login(ada)
    assert client.get(f"{V1}/me/").status_code == 401


def test_who_left_the_course_reads_nothing_of_it(call, secret, ada, adas_submission):
    Enrollment.objects.filter(user=ada).delete()
    assert call("GET", COURSE, secret(ada)).status_code == 404
    assert call("GET", f"{V1}/submissions/{adas_submission.public_id}/", secret(ada)).status_code == 404


def test_attempt_is_its_owners_alone(call, secret, ada, ben, ines, otto, adas_attempt):
    path = attempt_path(adas_attempt)
    assert [call("GET", path, secret(user)).status_code for user in (ada, ben, ines, otto)] == [200, 404, 404, 404]


def test_nobody_answers_for_another(call, secret, ben, ines, otto, adas_attempt):
    body = right_numbers(adas_attempt)
    statuses = [call("POST", submit_path(adas_attempt), secret(user), body).status_code for user in (ben, ines, otto)]
    assert statuses == [404, 404, 404]
    assert Submission.objects.count() == 0


def test_attempt_answers_only_under_its_own_item_and_course(call, secret, ada, other_course, adas_attempt):
    EnrollmentFactory(user=ada, course=other_course)
    path = submit_path(adas_attempt)
    crossed = [path.replace("by-hand", "pick"), path.replace("spring", "autumn"), path.replace("by-hand", "no-such")]
    body = right_numbers(adas_attempt)
    assert [call("POST", each, secret(ada), body).status_code for each in crossed] == [404, 404, 404]
    assert Submission.objects.count() == 0


def test_submission_is_seen_by_its_author_and_the_instructor(call, secret, ada, ben, ines, otto, adas_submission):
    path = f"{V1}/submissions/{adas_submission.public_id}/"
    assert [call("GET", path, secret(user)).status_code for user in (ada, ines)] == [200, 200]
    assert [call("GET", path, secret(user)).status_code for user in (ben, otto)] == [404, 404]
    assert [call(method, path, secret(ben)).status_code for method in ("PUT", "PATCH", "DELETE")] == [405, 405, 405]


def test_instructors_token_of_another_course_sees_no_submission(call, secret, ines, other_course, adas_submission):
    path = f"{V1}/submissions/{adas_submission.public_id}/"
    assert call("GET", path, secret(ines, course=other_course)).status_code == 404


def test_submissions_are_ones_own(call, secret, ada, ben, ines, adas_submission):
    path = f"{ITEMS}by-hand/submissions/"
    counts = [len(call("GET", path, secret(user)).json()["results"]) for user in (ada, ben, ines)]
    assert counts == [1, 0, 0]
    assert call("GET", f"{path}?student=ada", secret(ben)).status_code == 400


def test_grades_are_all_for_the_instructor_and_ones_own_for_a_student(call, secret, ada, ben, ines, adas_submission):
    def names(user):
        return [row["username"] for row in call("GET", f"{COURSE}grades/", secret(user)).json()["results"]]

    assert names(ines) == ["ada", "ben"]
    assert names(ada) == ["ada"]
    assert names(ben) == ["ben"]


def test_writing_needs_its_scope(call, secret, ada, adas_attempt):
    reader = secret(ada, scopes=[ApiScope.READ_ITEMS, ApiScope.READ_SUBMISSIONS, ApiScope.READ_GRADES])
    assert codes(call("POST", submit_path(adas_attempt), reader, {"fields": {}})) == ["insufficient_scope"]
    assert codes(call("POST", f"{ITEMS}by-hand/attempts/", reader, {})) == ["insufficient_scope"]


def test_use_of_a_token_is_noted(call, secret, ada):
    token = secret(ada)
    assert ApiToken.objects.get(name=token).last_used_at is None
    call("GET", f"{V1}/me/", token)
    assert timezone.now() - ApiToken.objects.get(name=token).last_used_at < timedelta(minutes=1)


@pytest.mark.parametrize("name", READ)
def test_token_of_staff_without_the_second_factor_that_the_site_wants_opens_nothing(
    call, secret, ada, ines, settings, name
):
    settings.STAFF_NEED_SECOND_FACTOR = True
    token = secret(ines)
    owed = call("GET", READ[name], token)
    Authenticator.objects.create(user=ines, type=Authenticator.Type.TOTP, data={})

    assert (owed.status_code, codes(owed)) == (403, ["second_factor_owed"])
    assert call("GET", READ[name], token).status_code == 200
    assert call("GET", READ[name], secret(ada)).status_code == 200
