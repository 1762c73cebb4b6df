"""Callers of the API: each has a token, and a call sends it."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest
from django.http import HttpResponse
from django.test import Client

from exercises.enums import ApiScope
from exercises.models import Course, User
from tests.factories import ApiTokenFactory

Call = Callable[..., HttpResponse]
Secret = Callable[..., str]


@pytest.fixture
def secret() -> Secret:
    """secret(user): what a new token of the user is shown as; all scopes unless told."""

    def made(user: User, *, scopes: list[str] = ApiScope.values, course: Course | None = None, **options: Any) -> str:
        return ApiTokenFactory(user=user, scopes=list(scopes), course=course, **options).name

    return made


@pytest.fixture
def call() -> Call:
    """call(method, path, secret, body, **headers): one request; a body that is no text is sent as JSON."""
    client = Client()

    def called(method: str, path: str, token: str = "", body: Any = None, **headers: str) -> HttpResponse:
        named = {name.replace("_", "-"): value for name, value in headers.items()}
        if token:
            named["Authorization"] = f"Bearer {token}"
        data = body if isinstance(body, str | bytes) else "" if body is None else json.dumps(body)
        return client.generic(method, path, data, "application/json", headers=named)

    return called
