from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

from qkvcourse.serve import processes

IGNORES_TERM = (
    "import signal, time; signal.signal(signal.SIGTERM, signal.SIG_IGN); print('on', flush=True); time.sleep(60)"
)
HAS_CHILD = "import subprocess, time; subprocess.Popen(['sleep', '60']); print('on', flush=True); time.sleep(60)"


def program(code: str, *, patience_seconds: float = 5.0) -> processes.Program:
    return processes.Program(
        name="test",
        command=[sys.executable, "-c", code],
        environment=os.environ,
        patience_seconds=patience_seconds,
    )


def started(code: str, *, patience_seconds: float = 5.0) -> processes.Service:
    service = processes.start(program(code, patience_seconds=patience_seconds))
    assert service.process.stdout
    assert service.process.stdout.readline() == b"on\n"
    return service


def test_a_service_leads_a_session_of_its_own() -> None:
    service = started(HAS_CHILD)

    members = processes.session_members({service.session})

    processes.stop(service)
    assert service.session != os.getsid(0)
    assert len(members) == 2


def test_stop_leaves_nothing_of_the_session() -> None:
    service = started(HAS_CHILD)

    processes.stop(service)

    assert processes.session_members({service.session}) == set()


def test_stop_kills_what_does_not_listen() -> None:
    service = started(IGNORES_TERM, patience_seconds=0.1)

    processes.stop(service)

    assert service.process.returncode == -signal.SIGKILL


def test_end_sessions_is_polite_first_and_counts() -> None:
    polite, deaf = started(HAS_CHILD), started(IGNORES_TERM)

    ended = processes.end_sessions({polite.session, deaf.session}, patience_seconds=2)

    for service in (polite, deaf):
        processes.stop(service)
    assert ended == 3
    assert [polite.process.returncode, deaf.process.returncode] == [-signal.SIGTERM, -signal.SIGKILL]


def test_a_service_does_not_outlive_the_one_that_started_it() -> None:
    code = (
        "import os, sys, time; from qkvcourse.serve import processes;"
        "service = processes.start(processes.Program(name='t', command=['sleep', '60'], environment=os.environ));"
        "print(service.session, flush=True); time.sleep(60)"
    )
    with subprocess.Popen(
        [sys.executable, "-c", code], stdout=subprocess.PIPE, cwd=Path(__file__).parents[3]
    ) as starter:
        assert starter.stdout
        session = int(starter.stdout.readline())
        starter.kill()

    deadline = time.monotonic() + 60
    while processes.session_members({session}) and time.monotonic() < deadline:
        time.sleep(0.01)
    assert processes.session_members({session}) == set()


def test_a_process_that_is_gone_belongs_to_no_session(tmp_path: Path) -> None:
    assert processes.state_and_session(tmp_path / "gone") == ("X", 0)


def test_a_name_with_blanks_and_parentheses_does_not_shift_the_fields(tmp_path: Path) -> None:
    (tmp_path / "stat").write_text("7 (a) b (c) S 1 7 42 0 -1")

    assert processes.state_and_session(tmp_path) == ("S", 42)
