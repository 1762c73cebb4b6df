"""What holds after sign-in and around it: lost rights, addresses that proxies tell, and ways back that lead elsewhere."""

from __future__ import annotations

import pytest
from django.core.cache import cache
from django.core.exceptions import ValidationError
from django.utils.translation import override

from exercises.enums import ApiScope, Role
from exercises.models import Enrollment
from tests.factories import PASSWORD, ApiTokenFactory, UserFactory

COURSE, DESK, PEOPLE = (f"/en/courses/spring/{page}" for page in ("", "overview/", "people/"))
ACTIVATION = {
    "username": "ada",
    "code": "AAAA-AAAA-AAAA",
    "password1": PASSWORD,
    "password2": PASSWORD,
    "consent": "on",
}


@pytest.mark.parametrize(
    ("role", "statuses"),
    [
        (Role.INSTRUCTOR, [200, 200, 200]),
        (Role.ASSISTANT, [200, 200, 404]),
        (Role.STUDENT, [200, 404, 404]),
        (Role.FORMER, [404, 404, 404]),
        (None, [404, 404, 404]),
    ],
)
def test_a_session_and_a_token_are_worth_what_the_role_is_now(role, statuses, ada, ines, as_user, client):
    browser, token = as_user(ines), ApiTokenFactory(user=ines, name="secret", scopes=list(ApiScope.values))
    assert [browser.get(page).status_code for page in (COURSE, DESK, PEOPLE)] == [200, 200, 200]
    mine = Enrollment.objects.filter(user=ines)
    mine.update(role=role) if role else mine.delete()

    called = client.get("/api/v1/courses/spring/", headers={"Authorization": f"Bearer {token.name}"})

    assert [browser.get(page).status_code for page in (COURSE, DESK, PEOPLE)] == statuses
    assert called.status_code == statuses[0]


def test_who_no_longer_teaches_looks_with_nobodys_eyes(ada, ines, as_user):
    browser, member = as_user(ines), Enrollment.objects.get(user=ada).pk
    browser.post(f"/en/courses/spring/students/{member}/view-as/")
    during = browser.get(COURSE).content.decode()
    Enrollment.objects.filter(user=ines).update(role=Role.ASSISTANT)
    after = browser.get(COURSE).content.decode()

    assert ["as Ada sees it" in html for html in (during, after)] == [True, False]


def test_who_is_shut_out_of_the_site_is_out_at_the_next_request(ada, as_user):
    browser = as_user(ada)
    ada.is_active = False
    ada.save()

    assert browser.get(COURSE)["Location"] == f"/en/accounts/login/?next={COURSE}"


@pytest.mark.parametrize("proxies", [0, 1])
def test_who_makes_up_where_they_come_from_is_held_all_the_same(proxies, db, client, settings):
    cache.clear()
    settings.ALLAUTH_TRUSTED_PROXY_COUNT = proxies

    statuses = [
        client.post(
            "/en/accounts/activate/", ACTIVATION, headers={"X-Forwarded-For": f"203.0.113.{number}, 198.51.100.7"}
        ).status_code
        for number in range(11)
    ]

    assert statuses == [422] * 10 + [429]


def test_people_behind_our_own_proxy_are_told_apart(db, client, settings):
    cache.clear()
    settings.ALLAUTH_TRUSTED_PROXY_COUNT = 1

    statuses = {
        client.post(
            "/en/accounts/activate/", ACTIVATION, headers={"X-Forwarded-For": f"198.51.100.{number}"}
        ).status_code
        for number in range(11)
    }

    assert statuses == {422}


@pytest.mark.parametrize(
    "place", ["https://example.org/", "//example.org/", "/\\example.org", "http:///example.org", "javascript:alert(1)"]
)
def test_no_way_back_leads_off_the_site(place, ada, client):
    address = "/en/accounts/login/"
    signed_in = client.post(address, {"login": "ada", "password": PASSWORD, "next": place})
    signed_out = client.post("/en/accounts/logout/", {"next": place})

    assert (signed_in["Location"], signed_out["Location"]) == ("/en/", "/en/")


def test_a_name_in_other_capitals_is_refused_in_words(ada):
    with override("en"), pytest.raises(ValidationError, match="in other capitals perhaps"):
        UserFactory.build(username="ADA").validate_constraints()
