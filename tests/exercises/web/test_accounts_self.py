"""One's own account: consent, second factor, sessions, password, leaving."""

from __future__ import annotations

import re

import pytest
from allauth.mfa.models import Authenticator
from allauth.mfa.totp.internal.auth import format_hotp_value, hotp_value, yield_hotp_counters_from_time
from django.core.cache import cache
from django.test import Client

from exercises.enums import Role
from exercises.models import Enrollment, User
from exercises.services.consent_give import consent_give
from tests.factories import PASSWORD

PAGES = [
    "/en/accounts/",
    "/en/accounts/password/change/",
    "/en/accounts/email/",
    "/en/accounts/second-factor/",
    "/en/accounts/second-factor/totp/activate/",
    "/en/accounts/second-factor/webauthn/",
    "/en/accounts/second-factor/webauthn/add/",
    "/en/accounts/sessions/",
    "/en/accounts/connections/",
    "/en/accounts/delete/",
]


@pytest.fixture(autouse=True)
def fresh_limits(db) -> None:
    cache.clear()


def sign_in(user: User, *, consented: bool = True) -> Client:
    if consented:
        consent_give(user=user)
    client = Client()
    client.post("/en/accounts/login/", {"login": user.username, "password": PASSWORD})
    return client


def totp(secret: str) -> str:
    return format_hotp_value(hotp_value(secret, next(iter(yield_hotp_counters_from_time()))))


def set_up_totp(client: Client) -> list[str]:
    """The recovery codes that came of it."""
    page = client.get("/en/accounts/second-factor/totp/activate/").content.decode()
    secret = re.search(r'value="([A-Z2-7]{32})"', page)[1]
    client.post("/en/accounts/second-factor/totp/activate/", {"code": totp(secret)})
    codes = client.get("/en/accounts/second-factor/recovery-codes/").content.decode()
    return re.findall(r"\b[0-9]{8}\b", codes)


@pytest.mark.parametrize("page", PAGES)
def test_every_page_of_an_account_is_ours_and_keeps_the_policy(page, ada):
    """No style and no script stands in the page: the policy would forbid it. Data for scripts may."""
    response = sign_in(ada).get(page)
    html = response.content.decode()

    assert (response.status_code, 'class="masthead"' in html) == (200, True)
    assert re.findall(r"<script(?![^>]*(?:src=|application/json))|<style|\sstyle=|\son[a-z]+=|javascript:", html) == []


def test_who_has_not_agreed_is_asked_first_and_then_taken_on(ada):
    client = sign_in(ada, consented=False)

    held = client.get("/en/courses/spring/lessons/first/")
    refused = client.post("/en/accounts/consent/")
    onward = client.post("/en/accounts/consent/", {"consent": "on"})

    assert (held["Location"], refused.status_code) == ("/en/accounts/consent/", 422)
    assert onward["Location"] == "/en/courses/spring/lessons/first/"
    assert client.get(onward["Location"]).status_code == 200
    assert ada.consents.count() == 1


def test_whoever_will_not_agree_may_take_their_data_and_leave(ada):
    client = sign_in(ada, consented=False)

    assert [client.get(page).status_code for page in ("/en/my-data/", "/en/privacy/", "/en/accounts/delete/")] == [
        200
    ] * 3


def test_a_second_factor_is_asked_for_after_the_password(ada):
    codes = set_up_totp(sign_in(ada))
    client = Client()

    first = client.post("/en/accounts/login/", {"login": "ada", "password": PASSWORD})
    outside = client.get("/en/courses/spring/")
    wrong = client.post("/en/accounts/second-factor/authenticate/", {"code": "000000"})
    right = client.post("/en/accounts/second-factor/authenticate/", {"code": codes[0]})

    assert len(codes) == 10
    assert (first["Location"], outside.status_code) == ("/en/accounts/second-factor/authenticate/", 302)
    assert (wrong.status_code, right.status_code) == (200, 302)
    assert client.get("/en/courses/spring/").status_code == 200


def test_a_recovery_code_works_once(ada):
    codes = set_up_totp(sign_in(ada))
    statuses = []
    for _ in range(2):
        client = Client()
        client.post("/en/accounts/login/", {"login": "ada", "password": PASSWORD})
        statuses.append(client.post("/en/accounts/second-factor/authenticate/", {"code": codes[0]}).status_code)

    assert statuses == [302, 200]


def test_the_database_alone_gives_no_second_factor_away(ada):
    client = sign_in(ada)
    page = client.get("/en/accounts/second-factor/totp/activate/").content.decode()
    secret = re.search(r'value="([A-Z2-7]{32})"', page)[1]
    client.post("/en/accounts/second-factor/totp/activate/", {"code": totp(secret)})

    stored = " ".join(str(row.data) for row in Authenticator.objects.all())
    assert (Authenticator.objects.count(), secret in stored) == (2, False)


def test_staff_set_up_a_second_factor_first_where_the_site_wants_it(ines, ada, settings):
    settings.STAFF_NEED_SECOND_FACTOR = True
    teacher, student = sign_in(ines), sign_in(ada)

    held = teacher.get("/en/courses/spring/people/")
    set_up_totp(teacher)

    assert held["Location"] == "/en/accounts/second-factor/totp/activate/"
    assert teacher.get("/en/courses/spring/people/").status_code == 200
    assert student.get("/en/courses/spring/").status_code == 200


@pytest.mark.parametrize("address", ["/admin/", "/admin/mfa/authenticator/", "/admin/mfa/authenticator/add/"])
def test_no_page_of_the_admin_is_open_before_the_second_factor(ines, settings, address):
    settings.STAFF_NEED_SECOND_FACTOR = True
    User.objects.filter(pk=ines.pk).update(is_staff=True, is_superuser=True)
    held = sign_in(ines).get(address)

    assert held.status_code == 302
    assert held["Location"].endswith("/accounts/second-factor/totp/activate/")


def test_who_gives_the_second_factor_up_sets_up_another_one_first(ines, settings):
    settings.STAFF_NEED_SECOND_FACTOR = True
    teacher = sign_in(ines)
    set_up_totp(teacher)
    before = teacher.get("/en/courses/spring/people/")
    teacher.post("/en/accounts/second-factor/totp/deactivate/")
    after = teacher.get("/en/courses/spring/people/")

    assert not Authenticator.objects.filter(type=Authenticator.Type.TOTP).exists()
    assert (before.status_code, after.status_code) == (200, 302)


@pytest.mark.parametrize("made", ["instructor", "staff of the site"])
def test_who_is_made_staff_while_signed_in_owes_the_second_factor_at_the_next_request(ada, settings, made):
    settings.STAFF_NEED_SECOND_FACTOR = True
    client = sign_in(ada)
    before = client.get("/en/courses/spring/")
    if made == "instructor":
        Enrollment.objects.filter(user=ada).update(role=Role.INSTRUCTOR)
    else:
        User.objects.filter(pk=ada.pk).update(is_staff=True)
    held, sent = client.get("/en/courses/spring/"), client.post("/en/news/seen/")
    set_up_totp(client)

    assert before.status_code == 200
    assert [held["Location"], sent["Location"]] == ["/en/accounts/second-factor/totp/activate/"] * 2
    assert client.get("/en/courses/spring/").status_code == 200


def test_other_sessions_are_listed_and_ended(ada):
    here, elsewhere = sign_in(ada), Client(headers={"user-agent": "A browser in the library"})
    elsewhere.post("/en/accounts/login/", {"login": "ada", "password": PASSWORD})

    page = here.get("/en/accounts/sessions/").content.decode()
    here.post("/en/accounts/sessions/")

    assert "A browser in the library" in page
    assert (here.get("/en/courses/spring/").status_code, elsewhere.get("/en/courses/spring/").status_code) == (200, 302)


def test_a_changed_password_ends_other_sessions(ada):
    here, elsewhere = sign_in(ada), sign_in(ada)

    changed = here.post(
        "/en/accounts/password/change/",
        {"oldpassword": PASSWORD, "password1": "a very new horse", "password2": "a very new horse"},
    )

    assert changed.status_code == 302
    assert (here.get("/en/courses/spring/").status_code, elsewhere.get("/en/courses/spring/").status_code) == (200, 302)


def test_deleting_offers_the_data_asks_for_the_name_and_ends_here(ada):
    client = sign_in(ada)

    page = client.get("/en/accounts/delete/").content.decode()
    refused = client.post("/en/accounts/delete/", {"username": "Ada"})
    done = client.post("/en/accounts/delete/", {"username": "ada"})

    assert ("/en/my-data/" in page, "What is erased, what stays" in page) == (True, True)
    assert (refused.status_code, done["Location"]) == (422, "/en/accounts/login/")
    assert not User.objects.filter(username="ada").exists()
    assert client.get("/en/courses/spring/").status_code == 302


def test_a_session_that_was_left_open_deletes_nothing(ada, client):
    """Deleting asks for the password once more when it was given long ago."""
    consent_give(user=ada)
    client.force_login(ada)

    response = client.get("/en/accounts/delete/")

    assert response["Location"].startswith("/en/accounts/reauthenticate/")


def test_the_only_instructor_is_told_to_hand_over(ines):
    response = sign_in(ines).post("/en/accounts/delete/", {"username": "ines"})

    assert (response.status_code, "only instructor" in response.content.decode()) == (422, True)
