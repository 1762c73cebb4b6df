"""The sign of life on a real Valkey."""

from __future__ import annotations

import time

import pytest
from redis import Redis

from grader import sandbox
from grader.heartbeat import LIFE_SECONDS, Heartbeat, tier_here

PATIENCE_SECONDS = 30


def wait_for_beat(client: Redis, key: str) -> str:
    deadline = time.monotonic() + PATIENCE_SECONDS
    while (beat := client.get(key)) is None:
        assert time.monotonic() < deadline, "no heartbeat"
        time.sleep(0.05)
    return str(beat)


def test_a_living_worker_tells_its_tier_for_a_while(broker: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("REDIS_URL", broker)
    monkeypatch.setenv("SANDBOX_MIN_TIER", "1")
    heartbeat = Heartbeat("one@test")
    with Redis.from_url(broker, decode_responses=True) as client:
        heartbeat.start()
        assert wait_for_beat(client, "heartbeat:one@test") == str(sandbox.describe().tier)
        assert 0 < client.ttl("heartbeat:one@test") <= LIFE_SECONDS
        heartbeat.stop()


def test_the_heart_goes_on_while_the_broker_is_away(
    broker: str, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    heartbeat = Heartbeat("two@test")
    with Redis.from_url("redis://127.0.0.1:1") as nobody:
        heartbeat._set(nobody, "3")
    assert [message.partition(":")[0] for message in caplog.messages] == ["no heartbeat"]


def test_a_tier_below_the_minimum_is_told_as_none(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SANDBOX_MIN_TIER", "3")
    assert tier_here() == (3 if sandbox.describe().tier == 3 else 0)
