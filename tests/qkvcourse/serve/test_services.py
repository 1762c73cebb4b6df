from __future__ import annotations

from pathlib import Path

import pytest

from qkvcourse.serve.plan import read_plan
from qkvcourse.serve.services import grader_environment, site_environment, site_services


@pytest.fixture(autouse=True)
def secrets_of_the_operator(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.delenv("REDIS_URL", raising=False)
    monkeypatch.setenv("QKV_DATA_DIR", str(tmp_path))
    monkeypatch.setenv("SECRET_KEY", "a-secret-that-no-worker-needs-to-know")
    monkeypatch.setenv("DATABASE_URL", "postgresql://qkv:hunter2@db/course")
    monkeypatch.setenv("EMAIL_HOST_PASSWORD", "hunter2")
    monkeypatch.setenv("PYTHONDONTWRITEBYTECODE", "1")


def test_the_sandbox_worker_gets_no_secret_and_no_database() -> None:
    environment = grader_environment(read_plan())

    assert {"SECRET_KEY", "DATABASE_URL", "EMAIL_HOST_PASSWORD", "QKV_DATA_DIR"}.isdisjoint(environment)
    assert "hunter2" not in str(environment)
    assert environment["SANDBOX_MIN_TIER"] == "3"


def test_the_site_gets_its_settings_and_the_address_of_the_broker(monkeypatch: pytest.MonkeyPatch) -> None:
    plan = read_plan()

    environment = site_environment(plan)

    assert environment["DATABASE_URL"] == "postgresql://qkv:hunter2@db/course"
    assert (environment["REDIS_URL"], environment["SITE_URL"]) == (plan.redis_url, plan.url)
    assert "PYTHONDONTWRITEBYTECODE" not in environment


def test_an_address_from_a_file_is_handed_on_once(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    (tmp_path / "redis").write_text("redis://valkey:6379/0")
    monkeypatch.setenv("REDIS_URL_FILE", str(tmp_path / "redis"))

    environment = site_environment(read_plan())

    assert environment["REDIS_URL"] == "redis://valkey:6379/0"
    assert "REDIS_URL_FILE" not in environment


def test_pages_start_last_so_that_they_stop_first() -> None:
    assert [program.name for program in site_services(read_plan())] == ["site", "grader", "web"]
