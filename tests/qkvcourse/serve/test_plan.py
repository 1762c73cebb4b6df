from __future__ import annotations

import os
import socket
import stat
from pathlib import Path

import pytest

from qkvcourse.serve import plan
from qkvcourse.serve.processes import StartError


@pytest.fixture(autouse=True)
def no_settings_of_this_machine(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    for name in ("HOST", "PORT", "REDIS_URL", "REDIS_URL_FILE", "SANDBOX_MIN_TIER", "SITE_URL", "WEB_PROCESSES"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("QKV_DATA_DIR", str(tmp_path))


def test_the_default_is_loopback_with_a_broker_of_its_own(tmp_path: Path) -> None:
    default = plan.read_plan()

    assert (default.url, default.is_loopback, default.embedded_valkey) == ("http://127.0.0.1:8000", True, True)
    assert default.redis_url == f"unix://{tmp_path}/run/valkey.sock?db=0"
    assert default.minimum_tier == 3


def test_a_broker_of_the_operators_replaces_ours(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("REDIS_URL", "redis://valkey:6379/0")

    asked = plan.read_plan()

    assert (asked.redis_url, asked.embedded_valkey) == ("redis://valkey:6379/0", False)


@pytest.mark.parametrize(
    ("host", "expected"),
    [("127.0.0.1", True), ("127.8.9.1", True), ("::1", True), ("localhost", True), ("0.0.0.0", False), ("x", False)],
)
def test_loopback_is_this_machine_alone(host: str, expected: bool) -> None:
    assert plan.is_loopback(host) is expected


def test_an_ipv6_address_is_bracketed_in_the_url(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOST", "::1")

    assert plan.read_plan().url == "http://[::1]:8000"


def test_weaker_isolation_is_for_loopback_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOST", "0.0.0.0")
    monkeypatch.setenv("SITE_URL", "https://course.example.org")
    monkeypatch.setenv("SANDBOX_MIN_TIER", "1")

    with pytest.raises(StartError) as error:
        plan.check_plan(plan.read_plan())

    assert str(error.value) == (
        "SANDBOX_MIN_TIER below 3 is accepted on this machine alone: leave HOST unset, or drop it"
    )


def test_a_site_for_others_must_say_its_address(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOST", "0.0.0.0")

    with pytest.raises(StartError) as error:
        plan.check_plan(plan.read_plan())

    assert str(error.value) == "HOST opens the site to others: set SITE_URL to the address they will type"


def test_a_port_in_use_is_one_sentence() -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]

        with pytest.raises(StartError) as error:
            plan.check_port("127.0.0.1", port)

    assert str(error.value) == (
        f"port {port} on 127.0.0.1 cannot be used (address already in use); set PORT to another one"
    )


def test_a_host_that_is_no_address_is_one_sentence() -> None:
    with pytest.raises(StartError) as error:
        plan.check_port("no.such.host.invalid", 8000)

    assert str(error.value) == "HOST names 'no.such.host.invalid', which is no address of this machine"


def test_the_data_directory_and_its_key_are_private_and_kept(tmp_path: Path) -> None:
    data = tmp_path / "new" / "data"

    plan.prepare_data_directory(data)
    first = (data / "secret-key").read_text()
    plan.prepare_data_directory(data)

    assert (data / "secret-key").read_text() == first
    assert len(first.strip()) >= 50
    assert stat.S_IMODE(data.stat().st_mode) == 0o700
    assert stat.S_IMODE((data / "secret-key").stat().st_mode) == 0o600


def test_a_full_disk_is_one_sentence(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    free = os.statvfs(tmp_path).f_bavail * os.statvfs(tmp_path).f_frsize
    monkeypatch.setattr(plan, "LEAST_FREE_BYTES", free * 2)

    with pytest.raises(StartError) as error:
        plan.prepare_data_directory(tmp_path)

    assert str(error.value) == f"the disk that holds {tmp_path} is full; free some space or set QKV_DATA_DIR"


def test_a_data_directory_that_cannot_be_made_is_one_sentence(tmp_path: Path) -> None:
    (tmp_path / "file").touch()

    with pytest.raises(StartError) as error:
        plan.prepare_data_directory(tmp_path / "file" / "data")

    assert str(error.value) == (
        f"{tmp_path / 'file' / 'data'} cannot hold the site's data (Not a directory); set QKV_DATA_DIR"
    )
