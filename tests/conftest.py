"""What every test stands on: settings of its own, a real Valkey, and PostgreSQL where it is asked for.

This file is imported before pytest-django looks for settings, so the environment is laid out here, at import.
`TEST_DATABASE=postgresql` runs the suite on PostgreSQL instead of SQLite.
"""

from __future__ import annotations

import atexit
import os
import shutil
import subprocess
import tempfile
from collections.abc import Generator, Iterator
from pathlib import Path

import django
import pytest
import redis
from django.conf import settings
from hypothesis import HealthCheck
from hypothesis import settings as hypothesis_settings

from qkvcourse import addresses
from qkvcourse.serve import processes, valkey
from tests import postgres

CHROMIUM = Path(os.environ.get("CHROMIUM", "/usr/bin/chromium"))
DATABASE_FIXTURES = frozenset({"db", "transactional_db", "live_server"})
IS_XDIST_WORKER = "PYTEST_XDIST_WORKER" in os.environ

pytest_plugins = ["tests.strict_skips", "tests.jail", "tests.started_site"]


def lay_out_environment() -> Path:
    """Give this process a data directory of its own; xdist's workers share their controller's PostgreSQL."""
    data_dir = Path(tempfile.mkdtemp(prefix="qkv-test-"))
    (data_dir / "static").mkdir()
    atexit.register(shutil.rmtree, data_dir, ignore_errors=True)
    for name in ("SITE_URL", "REDIS_URL", "DEBUG", "LOG_FORMAT"):
        os.environ.pop(name, None)
    os.environ["DJANGO_SETTINGS_MODULE"] = "qkvcourse.settings"
    os.environ["QKV_DATA_DIR"] = str(data_dir)
    os.environ["SECRET_KEY"] = "the-tests-use-this-key-and-nobody-else-does"
    os.environ["LOG_LEVEL"] = "WARNING"
    if not IS_XDIST_WORKER:
        os.environ.pop("DATABASE_URL", None)
        if os.environ.get("TEST_DATABASE") == "postgresql":
            os.environ["DATABASE_URL"] = postgres.start(data_dir)
    return data_dir


DATA_DIR = lay_out_environment()
# The conftest of a folder named on the command line is imported before pytest-django would set Django up.
django.setup()
# xdist's workers inherit the environment: with the name still in it, pytest-django would set each of them up on this
# process's data directory, before the worker comes here to get one of its own.
del os.environ["DJANGO_SETTINGS_MODULE"]

hypothesis_settings.register_profile(
    "house", deadline=None, derandomize=True, max_examples=60, suppress_health_check=[HealthCheck.too_slow]
)
hypothesis_settings.load_profile("house")


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--database-only", action="store_true", help="run only the tests that touch the database")


def pytest_configure(config: pytest.Config) -> None:
    """Exchange what only costs time in a test."""
    settings.PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]
    settings.STORAGES = settings.STORAGES | {
        "staticfiles": {"BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"}
    }
    if settings.DATABASES["default"]["ENGINE"].endswith("sqlite3"):
        # A file, not memory: locks and the write-ahead log then behave as they do in the running site.
        settings.DATABASES["default"].setdefault("TEST", {})["NAME"] = str(DATA_DIR / "test.sqlite3")


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    if not config.getoption("--database-only"):
        return
    config.hook.pytest_deselected(items=[item for item in items if not depends_on_database(item)])
    items[:] = [item for item in items if depends_on_database(item)]


def depends_on_database(item: pytest.Item) -> bool:
    """A browser sees the same pages whatever keeps their rows: one round of that is enough."""
    return touches_database(item) and "browser" not in getattr(item, "fixturenames", ())


def touches_database(item: pytest.Item) -> bool:
    if item.get_closest_marker("django_db"):
        return True
    return not DATABASE_FIXTURES.isdisjoint(getattr(item, "fixturenames", ()))


@pytest.fixture(scope="session")
def valkey_url() -> Iterator[str]:
    """The address of a Valkey of this process's own: the one that the settings name."""
    service = processes.start(valkey.valkey_program(DATA_DIR, os.environ), output=subprocess.DEVNULL)
    valkey.wait_for_valkey(service, DATA_DIR)
    yield addresses.unix_url(addresses.valkey_socket(DATA_DIR))
    processes.stop(service)


@pytest.fixture
def broker(valkey_url: str) -> Generator[str]:
    """The address of an empty Valkey."""
    with redis.Redis.from_url(valkey_url) as client:
        client.flushall()
    return valkey_url


@pytest.fixture(scope="session")
def chromium() -> Path:
    """The browser, for tests that need one."""
    if not CHROMIUM.exists():
        pytest.skip(f"no Chromium at {CHROMIUM}: apt-get install chromium, or set CHROMIUM")
    return CHROMIUM
