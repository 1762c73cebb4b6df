from __future__ import annotations

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.template.loader import render_to_string
from django.test import Client
from django.utils import translation
from pytest_django import Settings

from exercises.models import User

PAGES = ["400", "403", "403_csrf", "404", "413", "429", "500", "503"]


def with_csrf_cookie() -> Client:
    """A browser that has opened a page with a form: only then does the check read what it sends."""
    browser = Client(enforce_csrf_checks=True)
    browser.get("/en/accounts/login/")
    return browser


@pytest.mark.parametrize("language", ["en", "zh-hans"])
@pytest.mark.parametrize("name", PAGES)
def test_error_page_stands_alone_without_database_or_request(name: str, language: str) -> None:
    with translation.override(language):
        html = render_to_string(f"{name}.html")

    html_language = {"en": "en", "zh-hans": "zh-Hans"}[language]
    way_on = {"en": "To my courses", "zh-hans": "回到我的课程"}[language]
    assert (f'lang="{html_language}"' in html, way_on in html, name[:3] in html) == (True, True, True)


def test_old_form_is_answered_with_what_to_do(ada: User) -> None:
    browser = Client(enforce_csrf_checks=True)
    browser.force_login(ada)

    response = browser.post("/en/courses/spring/items/by-hand/another/")

    assert (response.status_code, "The form had grown too old" in response.content.decode()) == (403, True)


@pytest.mark.parametrize(("language", "words"), [("en", "That was too large"), ("zh-hans", "内容太大了")])
def test_body_over_the_limit_is_413(language: str, words: str, db: None, settings: Settings) -> None:
    settings.DATA_UPLOAD_MAX_MEMORY_SIZE = 1000
    browser = with_csrf_cookie()

    response = browser.post(f"/{language}/settings/", {"theme": "x" * 2000})

    assert (response.status_code, words in response.content.decode()) == (413, True)


def test_too_many_fields_are_a_bad_request(db: None, settings: Settings) -> None:
    settings.DATA_UPLOAD_MAX_NUMBER_FIELDS = 5
    browser = with_csrf_cookie()

    response = browser.post("/en/settings/", {f"field-{number}": "x" for number in range(10)})

    assert (response.status_code, "could not be read" in response.content.decode()) == (400, True)


def test_many_files_are_not_held_in_memory(db: None) -> None:
    browser = with_csrf_cookie()

    response = browser.post("/en/settings/", {"sheet": [SimpleUploadedFile(f"{name}.csv", b"x") for name in range(10)]})

    assert response.status_code == 400


def test_every_page_carries_the_strict_policy(client: Client, db: None) -> None:
    policy = client.get("/en/accounts/login/")["Content-Security-Policy"]

    assert ("default-src 'none'" in policy, "script-src 'self'" in policy, "unsafe" in policy) == (True, True, False)
