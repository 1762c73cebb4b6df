"""The whole site started as a person starts it, in a data directory of its own."""

from __future__ import annotations

import json
import os
import signal
import socket
import sqlite3
import stat
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from urllib.request import urlopen

import pytest

from qkvcourse.serve.plan import ROOT

pytestmark = [pytest.mark.e2e, pytest.mark.xdist_group("serve")]

# A second start has nothing to make: this leaves room for a machine that is busy with other tests.
SECOND_START_SECONDS = 30.0


@dataclass
class Site:
    data_dir: Path
    port: int
    process: subprocess.Popen[str]
    printed: str = ""

    def wait_for(self, words: str) -> str:
        assert self.process.stdout
        for line in self.process.stdout:
            self.printed += line
            if words in line:
                return line
        raise AssertionError(f"{words!r} never came:\n{self.printed}")

    def get(self, path: str) -> str:
        with urlopen(f"http://127.0.0.1:{self.port}{path}", timeout=10) as response:
            return str(response.read(), "utf-8")

    def rest(self, timeout: float = 60) -> str:
        output, _ = self.process.communicate(timeout=timeout)
        self.printed += output
        return output


def free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as probe:
        return int(probe.getsockname()[1])


def start(data_dir: Path, **variables: str) -> Site:
    port = free_port()
    kept = {name: os.environ[name] for name in ("PATH", "HOME") if name in os.environ}
    environment = {
        **kept,
        "QKV_DATA_DIR": str(data_dir),
        "PORT": str(port),
        "GRADER_PROCESSES": "1",
        "WEB_PROCESSES": "1",
        **variables,
    }
    process = subprocess.Popen(
        [sys.executable, "-m", "qkvcourse.serve"],
        cwd=ROOT,
        env=environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )
    return Site(data_dir, int(environment["PORT"]), process)


def processes_of(data_dir: Path) -> list[str]:
    """The command line of every process that knows this data directory, by its arguments or its environment."""
    found = []
    for entry in Path("/proc").iterdir():
        if entry.name.isdecimal() and int(entry.name) != os.getpid():
            try:
                known = (entry / "cmdline").read_bytes() + (entry / "environ").read_bytes()
            except OSError:
                continue
            if os.fsencode(data_dir) in known:
                found.append((entry / "cmdline").read_text().replace("\0", " "))
    return found


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    started = start(tmp_path_factory.mktemp("site"))
    started.wait_for("ready at")
    started.wait_for("demo-student-2")
    yield started
    started.process.send_signal(signal.SIGTERM)
    started.rest()


def test_the_first_start_makes_the_site_and_says_how_to_get_in(site: Site) -> None:
    log_ins = json.loads((site.data_dir / "demo-logins.json").read_text())

    assert f"serve   | ready at http://127.0.0.1:{site.port} (Ctrl-C stops it)\n" in site.printed
    assert all(f"{name} {password}\n" in site.printed for name, password in log_ins.items())
    assert json.loads(site.get("/health/ready"))["checks"] == {"database": True, "migrations": True, "broker": True}


def test_what_is_secret_is_its_owners_alone(site: Site) -> None:
    private = ["demo-logins.json", "secret-key", "site.sqlite3"]

    assert [stat.S_IMODE((site.data_dir / name).stat().st_mode) for name in private] == [0o600] * 3


def test_the_database_keeps_a_write_ahead_log(site: Site) -> None:
    with closing(sqlite3.connect(site.data_dir / "site.sqlite3")) as database:
        assert database.execute("PRAGMA journal_mode").fetchone() == ("wal",)


def test_static_files_are_collected_and_kept_for_ever_by_browsers(site: Site) -> None:
    manifest = json.loads((site.data_dir / "static" / "staticfiles.json").read_text())
    name = manifest["paths"]["exercises/site.css"]

    with urlopen(f"http://127.0.0.1:{site.port}/static/{name}", timeout=10) as response:
        assert "immutable" in response.headers["Cache-Control"]


def test_two_sites_cannot_share_a_data_directory(site: Site) -> None:
    other = start(site.data_dir)

    assert other.rest() == f"serve: the site already runs on {site.data_dir} (process {site.process.pid})\n"
    assert other.process.returncode == 1


def test_a_server_that_is_killed_comes_back(site: Site) -> None:
    (session,) = {int(Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[3]) for pid in web_pids(site)}

    os.kill(session, signal.SIGKILL)
    site.wait_for("web ended with status -9")
    deadline = time.monotonic() + 30
    while not answers(site) and time.monotonic() < deadline:
        time.sleep(0.1)

    assert answers(site)


def test_neither_ctrl_c_nor_a_kill_leaves_anything_and_every_start_is_clean(tmp_path: Path) -> None:
    first = start(tmp_path)
    first.wait_for("ready at")
    first.process.send_signal(signal.SIGINT)
    last_line = first.rest().splitlines()[-1]
    left_by_ctrl_c = processes_of(tmp_path)

    began = time.monotonic()
    second = start(tmp_path)
    second.wait_for("ready at")
    second_took = time.monotonic() - began
    running = processes_of(tmp_path)
    second.process.kill()
    second.rest()
    left_by_kill = processes_of(tmp_path)

    third = start(tmp_path)
    third.wait_for("ready at")
    third.process.send_signal(signal.SIGTERM)
    third.rest()

    assert (first.process.returncode, last_line, left_by_ctrl_c) == (0, "serve   | stopped", [])
    assert second_took < SECOND_START_SECONDS
    assert (len(running) >= 5, left_by_kill) == (True, [])
    assert (third.process.returncode, processes_of(tmp_path)) == (0, [])


def web_pids(site: Site) -> list[int]:
    found = []
    for entry in Path("/proc").iterdir():
        if entry.name.isdecimal():
            try:
                words = (entry / "cmdline").read_bytes().split(b"\0")
            except OSError:
                continue
            if b"granian" in words and str(site.port).encode() in words:
                found.append(int(entry.name))
    return found


def answers(site: Site) -> bool:
    try:
        return "ready" in site.get("/health/ready")
    except OSError:
        return False


def test_a_port_in_use_stops_the_start_with_one_sentence(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]

        site = start(tmp_path, PORT=str(port))
        words = site.rest()

    assert (
        words == f"serve: port {port} on 127.0.0.1 cannot be used (address already in use); set PORT to another one\n"
    )
    assert site.process.returncode == 1


def test_a_bad_setting_stops_the_start_with_one_sentence(tmp_path: Path) -> None:
    site = start(tmp_path, LOG_LEVEL="LOUD")

    words = site.rest()

    assert site.process.returncode == 1
    assert "settings: LOG_LEVEL must be one of DEBUG, INFO, WARNING, ERROR, not 'LOUD'" in words
    assert "Traceback" not in words
