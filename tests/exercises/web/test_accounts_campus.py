"""Campus sign-on against real servers on loopback: OpenID Connect, CAS, SAML."""

from __future__ import annotations

import re
from collections.abc import Iterator
from html import unescape

import pytest
import requests
from allauth.socialaccount.models import SocialAccount
from django.core.cache import cache
from django.test import Client

from exercises.models import Activation, Submission, User
from exercises.services.members_add import ListedPerson, members_add
from exercises.services.submission_create import submission_create
from qkvcourse import sign_on
from qkvcourse.env import SettingError
from tests.campus import CLIENT_ID, CLIENT_SECRET, Campus, saml_answer, started_campus
from tests.exercises.responses import right_numbers
from tests.factories import PASSWORD

OIDC, CAS, SAML = "/en/accounts/campus/oidc/", "/en/accounts/campus/campus/", "/en/accounts/campus/saml/"


@pytest.fixture
def campus(db, monkeypatch, settings) -> Iterator[Campus]:
    cache.clear()
    with started_campus() as started:
        for name, value in {
            "OIDC_SERVER_URL": started.address,
            "OIDC_CLIENT_ID": CLIENT_ID,
            "OIDC_CLIENT_SECRET": CLIENT_SECRET,
            "OIDC_NAME": "Campus A",
            "CAS_SERVER_URL": f"{started.address}/cas",
            "CAS_NAME": "Campus B",
            "SAML_METADATA_URL": f"{started.address}/idp",
            "SAML_ENTITY_ID": f"{started.address}/idp",
            "SAML_NAME": "Campus C",
        }.items():
            monkeypatch.setenv(name, value)
        settings.SOCIALACCOUNT_PROVIDERS = sign_on.providers()
        yield started


def a_browser() -> Client:
    """One that names the host, as all do and as SAML wants to check."""
    return Client(headers={"host": "testserver"})


def away_from(client: Client, door: str, **form: str) -> str:
    """Where the page that the button leads to sends the browser."""
    page = client.post(door, form).content.decode()
    return unescape(re.search(r'http-equiv="refresh"\s+content="0;url=([^"]+)"', page)[1])


def there_and_back(client: Client, door: str, **form: str):
    """Through the campus, as a browser goes."""
    back = requests.get(away_from(client, door, **form), allow_redirects=False, timeout=5).headers["Location"]
    return client.get(back.removeprefix("http://testserver"))


def test_without_settings_there_is_no_button_and_no_door(client, db):
    assert sign_on.providers() == {}
    assert "/accounts/campus/" not in client.get("/en/accounts/login/").content.decode()
    assert [client.post(door).status_code for door in (OIDC, CAS, SAML)] == [404, 404, 404]


def test_the_log_in_has_one_button_for_each_campus(campus, client):
    page = client.get("/en/accounts/login/").content.decode()

    assert re.findall(r"Sign in with (Campus .)", page) == ["Campus A", "Campus B", "Campus C"]
    assert [door in page for door in (OIDC, CAS, SAML)] == [True, True, True]


@pytest.mark.parametrize("door", [OIDC, CAS])
def test_the_campus_makes_an_account_once_and_finds_it_again(door, campus, client):
    first = there_and_back(client, door, next="/en/courses/spring/")
    again = there_and_back(Client(), door)

    user = User.objects.get()
    assert (first["Location"], again.status_code) == ("/en/courses/spring/", 302)
    assert (user.display_name, user.email, user.has_usable_password()) == ("Ada", "", False)
    assert [(account.uid, account.extra_data) for account in SocialAccount.objects.all()] == [("2023001", {})]
    assert client.get("/en/")["Location"] == "/en/accounts/consent/"


def test_a_token_for_somebody_else_is_refused(campus, client):
    campus.audience = "another-site"

    response = there_and_back(client, OIDC)

    assert (response.status_code, User.objects.count()) == (401, 0)


@pytest.mark.parametrize("door", [OIDC, CAS])
def test_an_answer_to_a_question_that_nobody_asked_here_is_refused(door, campus, client):
    back = requests.get(away_from(Client(), door), allow_redirects=False, timeout=5).headers["Location"]

    response = client.get(back.removeprefix("http://testserver"))

    assert (response.status_code, User.objects.count()) == (401, 0)


def test_a_cas_ticket_is_good_once_and_not_at_all_when_it_is_made_up(campus, client):
    back = requests.get(away_from(client, CAS), allow_redirects=False, timeout=5).headers["Location"]
    path = back.removeprefix("http://testserver")

    made_up = client.get(re.sub(r"ticket=.*", "ticket=ST-0", path))

    assert (made_up.status_code, User.objects.count()) == (401, 0)
    assert 'class="masthead"' in made_up.content.decode()


def test_a_campus_that_is_down_is_said_and_breaks_nothing(campus, client, settings, ada):
    at = away_from(client, CAS)
    settings.SOCIALACCOUNT_PROVIDERS["cas"]["APPS"][0]["settings"]["server_url"] = "http://127.0.0.1:1/cas"
    back = requests.get(at, allow_redirects=False, timeout=5).headers["Location"]

    response = client.get(back.removeprefix("http://testserver"))

    assert response.status_code == 401
    assert client.post("/en/accounts/login/", {"login": "ada", "password": PASSWORD}).status_code == 302


def test_saml_takes_a_signed_answer_to_its_own_question(campus):
    client = a_browser()
    at = away_from(client, SAML)

    posted = client.post("/sign-on/saml/campus/acs/", saml_answer(campus, at))
    done = client.get(posted["Location"])

    assert done.status_code == 302, done.content.decode()
    assert [(account.uid, account.user.display_name) for account in SocialAccount.objects.all()] == [("2023001", "Ada")]


def test_saml_refuses_an_answer_without_a_signature_and_one_from_another_browser(campus):
    client = a_browser()
    at = away_from(client, SAML)
    for browser, signed in ((client, False), (a_browser(), True)):
        posted = browser.post("/sign-on/saml/campus/acs/", saml_answer(campus, at, signed=signed))
        assert browser.get(posted["Location"]).status_code in {401, 403}
    assert User.objects.count() == 0


def test_saml_says_who_we_are(campus):
    metadata = a_browser().get("/sign-on/saml/campus/metadata/").content.decode()

    assert "http://testserver/sign-on/saml/campus/acs/" in metadata


def test_an_account_of_a_list_waits_for_its_owner_unless_the_operator_says_that_ids_are_numbers(
    campus, ines, enrollment_of, settings
):
    members_add(instructor=enrollment_of(ines), people=[ListedPerson("2023001", "Ada")])
    listed = User.objects.get(username="2023001")

    there_and_back(Client(), CAS)
    stranger = SocialAccount.objects.get().user
    SocialAccount.objects.all().delete()
    settings.SSO_UID_IS_STUDENT_NUMBER = True
    there_and_back(Client(), CAS)

    assert stranger != listed
    assert SocialAccount.objects.get().user == listed
    assert not Activation.objects.exists()


def test_an_address_that_is_the_same_connects_nobody(campus, ada, client):
    ada.email = "ada@example.org"
    ada.save()

    there_and_back(client, OIDC)

    assert SocialAccount.objects.get().user != ada


def test_a_member_connects_the_campus_to_their_own_account(campus, ada, as_user):
    there_and_back(as_user(ada), CAS)

    assert SocialAccount.objects.get().user == ada


def test_a_guest_takes_their_work_through_the_campus(campus, course, attempt, client):
    course.is_open = True
    course.save()
    client.post("/en/courses/spring/visit/")
    mine = attempt(User.objects.get(is_guest=True), "by-hand")
    submission_create(attempt=mine, raw_response=right_numbers(mine))

    there_and_back(client, CAS)

    assert Submission.objects.get().attempt.enrollment.user == SocialAccount.objects.get().user


def test_nothing_of_a_campus_is_tied_to_a_guest(campus, course, client):
    course.is_open = True
    course.save()
    client.post("/en/courses/spring/visit/")

    away = client.post("/sign-on/oidc/login/?process=connect")
    back = requests.get(away["Location"], allow_redirects=False, timeout=5).headers["Location"]
    client.get(back.removeprefix("http://testserver"))

    assert SocialAccount.objects.get().user.is_guest is False


@pytest.mark.parametrize(
    ("names", "said"),
    [
        ({"OIDC_SERVER_URL": "https://campus.example.org"}, "OIDC_CLIENT_ID is not set"),
        ({"SAML_METADATA_URL": "https://campus.example.org/idp"}, "SAML_ENTITY_ID is not set"),
        ({"CAS_SERVER_URL": "http://campus.example.org/cas"}, "must begin with https://"),
        ({"CAS_SERVER_URL": "campus"}, "must begin with https://"),
    ],
)
def test_half_a_campus_stops_the_start(names, said, monkeypatch):
    for name, value in names.items():
        monkeypatch.setenv(name, value)

    with pytest.raises(SettingError, match=said):
        sign_on.providers()
