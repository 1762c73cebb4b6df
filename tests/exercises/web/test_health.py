from __future__ import annotations

from collections.abc import Iterator

import pytest
from django.db import connection
from django.db.migrations.recorder import MigrationRecorder
from django.test import Client
from pytest_django import Settings
from redis import Redis

from exercises.web import health


@pytest.fixture(autouse=True)
def forget_earlier_answers() -> Iterator[None]:
    for kept in (health._require_current_schema, health._client):
        kept.cache_clear()
    yield
    for kept in (health._require_current_schema, health._client):
        kept.cache_clear()


def test_live_asks_nothing_of_the_database(client: Client) -> None:
    response = client.get("/health/live")

    assert (response.status_code, response.json()) == (200, {"status": "live"})


@pytest.mark.django_db
def test_ready_names_what_it_has_checked(client: Client, broker: str) -> None:
    response = client.get("/health/ready")

    assert (response.status_code, response.json()) == (
        200,
        {
            "status": "ready",
            "checks": {"database": True, "migrations": True, "broker": True},
            "sandbox_tier": None,
            "notice": "code exercises wait: no sandbox worker lives that may run code",
        },
    )


@pytest.mark.django_db
@pytest.mark.parametrize(("beats", "tier"), [(["3"], 3), (["3", "1", "0"], 1), (["0"], None)])
def test_ready_tells_the_weakest_tier_in_which_code_runs(
    beats: list[str], tier: int | None, client: Client, valkey: Redis
) -> None:
    for name, beat in enumerate(beats):
        valkey.set(f"heartbeat:{name}", beat, ex=30)

    body = client.get("/health/ready").json()

    assert (body["sandbox_tier"], "notice" in body) == (tier, tier is None)


@pytest.mark.django_db
def test_ready_without_broker_says_so_and_still_serves(client: Client, settings: Settings) -> None:
    settings.REDIS_URL = "unix:///nowhere/valkey.sock"

    response = client.get("/health/ready")

    assert (response.status_code, response.json()["checks"]["broker"]) == (200, False)
    assert "code exercises wait" in response.json()["notice"]


@pytest.mark.django_db
def test_not_ready_while_a_migration_waits_and_ready_once_it_is_applied(client: Client) -> None:
    recorder = MigrationRecorder(connection)
    last = max(name for app, name in recorder.applied_migrations() if app == "exercises")
    recorder.record_unapplied("exercises", last)
    before = client.get("/health/ready")
    recorder.record_applied("exercises", last)
    after = client.get("/health/ready")

    assert (before.status_code, before.json()["checks"]["migrations"]) == (503, False)
    assert (after.status_code, after.json()["checks"]["migrations"]) == (200, True)


def test_health_checks_take_no_post(client: Client) -> None:
    assert client.post("/health/live").status_code == 405
