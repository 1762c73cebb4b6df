"""Browsers without scripts: the cast signed in, and the addresses that they open."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from django.test import Client

from exercises.models import Attempt, User

SignedIn = Callable[[User], Client]


@pytest.fixture
def as_user() -> SignedIn:
    """A client that is signed in as somebody."""

    def signed_in(user: User) -> Client:
        client = Client()
        client.force_login(user)
        return client

    return signed_in


def submit_address(attempt: Attempt, *, language: str = "en", course: str = "spring", item: str = "") -> str:
    """Where the form of an attempt is sent."""
    return f"/{language}/courses/{course}/items/{item or attempt.item.slug}/{attempt.public_id}/submit/"


def numeric_form(response: dict) -> dict[str, str]:
    """A raw response as the fields of its form."""
    return {
        f"{name}-{row}-{column}": cell
        for name, rows in response["fields"].items()
        for row, cells in enumerate(rows)
        for column, cell in enumerate(cells)
    }
