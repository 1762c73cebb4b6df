from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from django.test import Client

from exercises.models import User

SignedIn = Callable[[User], Client]
LOG_IN = "/en/accounts/login/"


def choose(client: Client, **chosen: str) -> None:
    client.post("/en/settings/", {**chosen, "next": LOG_IN})


def theme_on(client: Client, address: str = LOG_IN) -> str:
    page = client.get(address).content.decode()
    return re.findall(r'data-theme="([^"]*)"', page)[0]


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_theme_is_kept_and_rendered_by_the_server(theme: str, client: Client, db: None) -> None:
    response = client.post("/en/settings/", {"theme": theme, "next": LOG_IN})
    page = client.get(LOG_IN).content.decode()

    assert response["Location"] == LOG_IN
    assert (f'data-theme="{theme}"' in page, page.count('aria-pressed="true"')) == (True, 1)


@pytest.mark.parametrize("theme", ["system", "purple", '"><script>'])
def test_anything_else_follows_the_system(theme: str, client: Client, db: None) -> None:
    choose(client, theme="dark")
    choose(client, theme=theme)

    assert theme_on(client) == ""


def test_forged_cookie_reaches_no_page(client: Client, db: None) -> None:
    client.cookies["theme"] = "x onload=alert(1)"

    assert "alert" not in client.get(LOG_IN).content.decode()


@pytest.mark.parametrize("target", ["https://example.org/", "//example.org/", "javascript:alert(1)", ""])
def test_the_way_back_never_leaves_the_site(target: str, client: Client, db: None) -> None:
    assert client.post("/en/settings/", {"theme": "dark", "next": target})["Location"] == "/en/"


def test_the_account_goes_before_the_cookie_and_with_the_reader(ada: User, as_user: SignedIn) -> None:
    here = as_user(ada)
    choose(here, theme="dark", convention="column", editor="plain")
    elsewhere = as_user(ada)
    elsewhere.cookies["theme"] = "light"

    ada.refresh_from_db()
    assert (ada.theme, ada.convention, ada.editor, ada.language) == ("dark", "column", "plain", "")
    assert theme_on(elsewhere, "/en/settings/") == "dark"


def test_as_the_system_is_a_choice_that_beats_a_cookie_too(ada: User, as_user: SignedIn) -> None:
    client = as_user(ada)
    choose(client, theme="system")
    client.cookies["theme"] = "dark"

    assert theme_on(client, "/en/settings/") == ""


def test_language_account_beats_cookie_beats_header(ada: User, as_user: SignedIn) -> None:
    client = as_user(ada)
    english = {"Accept-Language": "en"}

    by_header = client.get("/courses/spring/", headers=english)["Location"]
    client.cookies["language"] = "zh-hans"
    by_cookie = client.get("/courses/spring/", headers=english)["Location"]
    User.objects.filter(pk=ada.pk).update(language="en")
    by_account = client.get("/courses/spring/", headers={"Accept-Language": "zh-CN"})["Location"]

    assert (by_header, by_cookie, by_account) == (
        "/en/courses/spring/",
        "/zh-hans/courses/spring/",
        "/en/courses/spring/",
    )


@pytest.mark.parametrize("word", ["foo", "course", "home"])
def test_a_word_is_no_name_of_a_page(word: str, client: Client, db: None) -> None:
    assert client.post("/en/settings/", {"theme": "dark", "next": word})["Location"] == word


def test_choosing_a_language_leads_to_the_same_page_in_it(client: Client, db: None) -> None:
    response = client.post("/en/settings/", {"language": "zh-hans", "next": LOG_IN})

    assert (response["Location"], client.get("/")["Location"]) == ("/zh-hans/accounts/login/", "/zh-hans/")


def test_choice_can_be_taken_back(client: Client, db: None) -> None:
    choose(client, language="zh-hans")
    choose(client, language="")

    assert client.get("/", headers={"Accept-Language": "en"})["Location"] == "/en/"


def test_settings_show_what_is_chosen(ada: User, as_user: SignedIn) -> None:
    client = as_user(ada)

    before = checked(client)
    choose(client, theme="dark", convention="row", editor="plain", language="en")

    assert before == {"language": "", "theme": "system", "convention": "lesson", "editor": "code", "digest": "daily"}
    assert checked(client) == before | {"language": "en", "theme": "dark", "convention": "row", "editor": "plain"}


def test_plain_editor_is_marked_for_the_script(ada: User, as_user: SignedIn) -> None:
    client = as_user(ada)
    lesson = "/en/courses/spring/lessons/first/"

    before = client.get(lesson).content.decode()
    choose(client, editor="plain")
    after = client.get(lesson).content.decode()

    assert [bool(re.search(r"\sdata-plain[\s>]", html)) for html in (before, after)] == [False, True]


def checked(client: Client) -> dict[str, str]:
    page = client.get("/en/settings/").content.decode()
    radios = re.findall(r'name="(\w+)"\s+value="([\w-]*)"\s+(checked)?', page)
    return {name: value for name, value, is_checked in radios if is_checked}
