from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
from django.conf import settings
from django.test import Client

from exercises.models import User
from qkvcourse.serve.plan import ROOT


def load_settings(tmp_path: Path, variables: dict[str, str], expression: str = "'loaded'") -> tuple[int, str]:
    code = f"from qkvcourse import settings; print({expression})"
    environment = {"PATH": os.environ["PATH"], "QKV_DATA_DIR": str(tmp_path), "SECRET_KEY": "k" * 50, **variables}
    finished = subprocess.run(
        [sys.executable, "-c", code], cwd=ROOT, env=environment, capture_output=True, text=True, check=False
    )
    return finished.returncode, (finished.stdout + finished.stderr).strip()


@pytest.mark.parametrize(
    ("variables", "sentence"),
    [
        ({"SECRET_KEY": "short"}, "settings: SECRET_KEY must have at least 32 characters"),
        ({"PORT": "http"}, "settings: PORT must be a whole number from 1 to 65535, not 'http'"),
        ({"LOG_FORMAT": "xml"}, "settings: LOG_FORMAT must be one of json, line, not 'xml'"),
        ({"DEBUG": "maybe"}, "settings: DEBUG must be 1 or 0, not 'maybe'"),
    ],
)
def test_a_bad_value_ends_the_start_with_one_sentence(tmp_path: Path, variables: dict[str, str], sentence: str) -> None:
    assert load_settings(tmp_path, variables) == (1, sentence)


def test_there_is_no_default_secret(tmp_path: Path) -> None:
    status, sentence = load_settings(tmp_path, {"SECRET_KEY": ""})

    assert status == 1
    assert sentence.startswith("settings: SECRET_KEY is not set")


def test_a_secure_site_url_makes_cookies_and_transport_secure(tmp_path: Path) -> None:
    names = "settings.SECURE_SSL_REDIRECT, settings.SESSION_COOKIE_SECURE, settings.CSRF_TRUSTED_ORIGINS"

    plain = load_settings(tmp_path, {}, names)
    secure = load_settings(tmp_path, {"SITE_URL": "https://course.example.org"}, names)

    assert plain == (0, "False False ['http://127.0.0.1:8000']")
    assert secure == (0, "True True ['https://course.example.org']")


def test_a_proxy_is_believed_only_where_one_is_declared(tmp_path: Path) -> None:
    name = "settings.SECURE_PROXY_SSL_HEADER"

    assert load_settings(tmp_path, {}, name) == (0, "None")
    assert load_settings(tmp_path, {"PROXY_COUNT": "1"}, name) == (0, "('HTTP_X_FORWARDED_PROTO', 'https')")


@pytest.mark.django_db
def test_every_page_carries_the_strict_policy(client: Client) -> None:
    response = client.get("/zh-hans/accounts/login/")

    assert sorted(response.headers["Content-Security-Policy"].split("; ")) == [
        "base-uri 'none'",
        "connect-src 'self'",
        "default-src 'none'",
        "font-src 'self'",
        "form-action 'self'",
        "frame-ancestors 'none'",
        "img-src 'self' data:",
        "script-src 'self'",
        "style-src 'self'",
    ]
    assert response.headers["X-Frame-Options"] == "DENY"
    assert response.headers["X-Content-Type-Options"] == "nosniff"
    assert response.headers["Referrer-Policy"] == "same-origin"


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("header", "target"),
    [("zh-CN", "/zh-hans/"), ("zh-TW", "/zh-hans/"), ("en-GB", "/en/"), ("fr", "/zh-hans/")],
)
def test_the_bare_address_leads_to_the_readers_language(client: Client, header: str, target: str) -> None:
    response = client.get("/", headers={"accept-language": header})

    assert (response.status_code, response.headers["Location"]) == (302, target)


@pytest.mark.django_db
def test_nobody_can_sign_up_without_a_course(client: Client) -> None:
    form = {"username": "eve", "password1": "a-long-password-1", "password2": "a-long-password-1"}

    response = client.post("/en/accounts/signup/", form)

    assert (response.status_code, response["Location"]) == (302, "/en/join/")
    assert "_auth_user_id" not in client.session
    assert not User.objects.filter(username="eve").exists()


@pytest.mark.django_db
def test_the_admin_has_no_log_in_of_its_own(client: Client) -> None:
    response = client.get("/admin/login/?next=/admin/", headers={"accept-language": "en"})

    assert (response.status_code, response.headers["Location"]) == (302, "/en/accounts/login/?next=%2Fadmin%2F")


def test_limits_spare_a_classroom_behind_one_address() -> None:
    assert settings.ACCOUNT_RATE_LIMITS == {
        "login": "600/m/ip",
        "login_failed": "120/m/ip,5/5m/key",
        "reset_password": "200/m/ip,5/m/key",
        "reset_password_from_key": "200/m/ip",
    }
