from __future__ import annotations

import pytest
from django.test import Client

from exercises.models import User
from tests.factories import PASSWORD


@pytest.mark.parametrize(("language", "words"), [("en", "User name or e-mail"), ("zh-hans", "用户名或邮箱")])
def test_log_in_speaks_the_language_of_its_address(language: str, words: str, client: Client, db: None) -> None:
    assert words in client.get(f"/{language}/accounts/login/").content.decode()


def test_log_in_leads_to_where_one_was_going(client: Client, ada: User) -> None:
    address = "/en/accounts/login/"

    response = client.post(address, {"login": "ada", "password": PASSWORD, "next": "/en/courses/spring/"})

    assert response["Location"] == "/en/courses/spring/"


def test_wrong_password_is_said_and_the_name_is_kept(client: Client, ada: User) -> None:
    response = client.post("/en/accounts/login/", {"login": "ada", "password": "wrong"})
    html = response.content.decode()

    assert (response.status_code, 'role="alert"' in html, 'value="ada"' in html, "wrong" in html) == (
        200,
        True,
        True,
        False,
    )


def test_log_out_asks_first(ada: User, client: Client) -> None:
    client.force_login(ada)

    asked = client.get("/en/accounts/logout/")
    done = client.post("/en/accounts/logout/")

    assert "Everything that you have sent is kept" in asked.content.decode()
    assert (done.status_code, done["Location"]) == (302, "/en/")


@pytest.mark.parametrize("page", ["password/reset/", "activate/", "forgotten/"])
def test_other_account_pages_wear_the_same_frame(page: str, client: Client, db: None) -> None:
    assert 'class="masthead"' in client.get(f"/en/accounts/{page}").content.decode()
