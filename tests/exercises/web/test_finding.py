from __future__ import annotations

import re

from django.test import Client

from exercises.models import User
from tests.exercises.web.conftest import SignedIn


def page(browser: Client, query: str, language: str = "en") -> str:
    return " ".join(browser.get(f"/{language}/search/", {"q": query}).content.decode().split())


def test_what_is_found_is_marked_and_leads_to_its_place(ada: User, as_user: SignedIn) -> None:
    html = page(as_user(ada), "work out one")

    assert re.findall(r"<mark ?>([^<]+)</mark>", html) == ["Work", "out", "one"]
    assert 'href="/en/courses/spring/lessons/first/' in html


def test_what_was_typed_is_text_and_stays_in_the_box(ada: User, as_user: SignedIn) -> None:
    html = page(as_user(ada), '"><script>')

    assert ("<script>" in html, 'value="&quot;&gt;&lt;script&gt;"' in html) == (False, True)


def test_nothing_found_says_what_to_try(ada: User, as_user: SignedIn) -> None:
    assert (
        "Try fewer words" in page(as_user(ada), "zebra"),
        "换成另一种语言" in page(as_user(ada), "斑马", "zh-hans"),
    ) == (
        True,
        True,
    )


def test_an_empty_search_offers_the_box(ada: User, as_user: SignedIn) -> None:
    html = page(as_user(ada), "")

    assert ('name="q"' in html, "Try fewer words" in html) == (True, False)


def test_only_members_search() -> None:
    assert Client().get("/en/search/").status_code == 302
