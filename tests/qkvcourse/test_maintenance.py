from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from django.conf import settings
from django.test import Client
from pytest_django import DjangoAssertNumQueries


@pytest.fixture
def closed() -> Iterator[None]:
    sign = Path(settings.DATA_DIR) / "maintenance"
    sign.touch()
    yield
    sign.unlink()


@pytest.mark.parametrize(("language", "words"), [("en", "Back in a few minutes"), ("zh-hans", "几分钟后回来")])
def test_a_closed_site_says_so_and_asks_the_database_nothing(
    language: str, words: str, closed: None, db: None, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    with django_assert_num_queries(0):
        response = Client().get(f"/{language}/")

    assert (response.status_code, response["Retry-After"], words in response.content.decode()) == (503, "300", True)


def test_machines_are_told_in_their_own_form(closed: None) -> None:
    response = Client().get("/api/v1/courses")

    assert (response.status_code, response["Content-Type"]) == (503, "application/problem+json")


def test_health_answers_all_the_same(closed: None) -> None:
    assert Client().get("/health/live").status_code == 200


def test_it_opens_again_without_a_restart(db: None) -> None:
    assert Client().get("/en/").status_code == 302
