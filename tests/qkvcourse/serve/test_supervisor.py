from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Iterator

import pytest

from qkvcourse.serve import supervisor as module
from qkvcourse.serve.guard import Guard
from qkvcourse.serve.processes import Program, StartError, session_members
from qkvcourse.serve.supervisor import Supervisor


@pytest.fixture
def supervisor(monkeypatch: pytest.MonkeyPatch) -> Iterator[Supervisor]:
    monkeypatch.setattr(module, "SHORT_PAUSE_SECONDS", 0.0)
    monkeypatch.setattr(module, "TICK_SECONDS", 0.02)
    bystander = subprocess.Popen(["true"])
    reading_end, writing_end = os.pipe()
    made = Supervisor(Guard(bystander.pid, writing_end))
    yield made
    made.stop_all()
    os.close(reading_end)
    bystander.returncode = 0


def program(code: str, name: str = "test", *, is_essential: bool = True) -> Program:
    return Program(name=name, command=[sys.executable, "-c", code], environment=os.environ, is_essential=is_essential)


def tick_for_ever(supervisor: Supervisor) -> None:
    deadline = time.monotonic() + 10
    while time.monotonic() < deadline:
        supervisor.tick()


def tick_until(supervisor: Supervisor, capsys: pytest.CaptureFixture[str], words: str) -> str:
    printed, deadline = "", time.monotonic() + 10
    while words not in printed and time.monotonic() < deadline:
        supervisor.tick()
        printed += capsys.readouterr().out
    return printed


def test_what_a_service_prints_is_passed_on(supervisor: Supervisor, capsys: pytest.CaptureFixture[str]) -> None:
    supervisor.start(program("import time; print('hello', flush=True); time.sleep(60)"))

    assert tick_until(supervisor, capsys, "hello") == "test    | hello\n"


def test_run_once_returns_status_and_lines(supervisor: Supervisor, capsys: pytest.CaptureFixture[str]) -> None:
    result = supervisor.run_once(program("print('one'); print('two'); raise SystemExit(3)"))

    assert result == (3, ["one", "two"])
    assert capsys.readouterr().out == ""


def test_a_service_that_dies_is_started_again(supervisor: Supervisor, capsys: pytest.CaptureFixture[str]) -> None:
    first = supervisor.start(program("import time; print('up', flush=True); time.sleep(60)"))
    tick_until(supervisor, capsys, "up")

    first.process.kill()
    printed = tick_until(supervisor, capsys, "| up")

    assert printed == "serve   | test ended with status -9; it is started again in 0 s\ntest    | up\n"


def test_an_essential_service_that_keeps_dying_ends_the_site(supervisor: Supervisor) -> None:
    supervisor.start(program("raise SystemExit(2)", "web"))

    with pytest.raises(StartError) as error:
        tick_for_ever(supervisor)

    assert str(error.value) == "web keeps ending (status 2); its last words are above"


def test_another_service_that_keeps_dying_is_given_time(
    supervisor: Supervisor, capsys: pytest.CaptureFixture[str]
) -> None:
    supervisor.start(program("raise SystemExit(2)", "grader", is_essential=False))

    printed = tick_until(supervisor, capsys, "in 60 s")

    assert printed.splitlines()[-1] == "serve   | grader ended with status 2; it is started again in 60 s"


def test_services_stop_in_the_opposite_order_of_their_start(
    supervisor: Supervisor, capsys: pytest.CaptureFixture[str]
) -> None:
    code = (
        "import signal, sys, time;"
        "signal.signal(signal.SIGTERM, lambda *_: (print('bye', flush=True), sys.exit()));"
        "print('up', flush=True); time.sleep(60)"
    )
    sessions = set()
    for name in ("broker", "site", "web"):
        sessions.add(supervisor.start(program(code, name)).session)
        tick_until(supervisor, capsys, "up")

    while supervisor._services:
        _name, service = supervisor._services.popitem()
        supervisor._end(service)

    assert capsys.readouterr().out == "web     | bye\nsite    | bye\nbroker  | bye\n"
    assert session_members(sessions) == set()
