"""Starting a program so that it cannot outlive us, and ending it with everything that it started."""

from __future__ import annotations

import ctypes
import os
import signal
import subprocess
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

PR_SET_PDEATHSIG = 1
LIBC = ctypes.CDLL(None, use_errno=True)
POLL_SECONDS = 0.02


class StartError(Exception):
    """Why the site cannot start, as one sentence for the person at the terminal."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Program:
    """What to run, and how to ask it to stop."""

    name: str
    command: Sequence[str | Path]
    environment: Mapping[str, str]
    stop_signal: signal.Signals = signal.SIGTERM
    patience_seconds: float = 10.0
    is_essential: bool = True
    in_child: Callable[[], None] | None = None


@dataclass(slots=True)
class Service:
    """A program that runs as the leader of a session of its own."""

    program: Program
    process: subprocess.Popen[bytes]
    started_at: float = field(default_factory=time.monotonic)

    @property
    def session(self) -> int:
        """The session's number, which is its leader's."""
        return self.process.pid


def start(program: Program, *, output: int = subprocess.PIPE) -> Service:
    """Start a program; it gets its stop signal when the thread that called this ends for any reason."""
    parent = os.getpid()

    def tie_to_parent() -> None:
        if program.in_child:
            program.in_child()
        LIBC.prctl(PR_SET_PDEATHSIG, int(program.stop_signal), 0, 0, 0)
        if os.getppid() != parent:  # it died before the kernel was asked to watch it
            os._exit(1)

    process = subprocess.Popen(
        [os.fspath(part) for part in program.command],
        env=dict(program.environment),
        stdin=subprocess.DEVNULL,
        stdout=output,
        stderr=subprocess.STDOUT,
        start_new_session=True,
        preexec_fn=tie_to_parent,  # noqa: PLW1509 -- the supervisor has one thread, and the hook takes no lock
    )
    return Service(program, process)


def stop(service: Service) -> None:
    """Ask the program to stop, wait as long as it may take, then end whatever is left of its session."""
    if service.process.poll() is None:
        service.process.send_signal(service.program.stop_signal)
        try:
            service.process.wait(service.program.patience_seconds)
        except subprocess.TimeoutExpired:
            service.process.kill()
            service.process.wait()
    end_sessions({service.session}, patience_seconds=0)
    if service.process.stdout:
        service.process.stdout.close()


def end_sessions(sessions: set[int], *, patience_seconds: float) -> int:
    """End every process of these sessions, politely at first; return how many there were."""
    found = session_members(sessions)
    send(signal.SIGTERM, found)
    deadline = time.monotonic() + patience_seconds
    while (left := session_members(sessions)) and time.monotonic() < deadline:
        time.sleep(POLL_SECONDS)
    while left:
        send(signal.SIGKILL, left)
        time.sleep(POLL_SECONDS)
        left = session_members(sessions)
    return len(found)


def send(which: signal.Signals, pids: set[int]) -> None:
    """Send a signal to each process that still exists."""
    for pid in pids:
        try:
            os.kill(pid, which)
        except ProcessLookupError:
            continue


def session_members(sessions: set[int]) -> set[int]:
    """The processes of these sessions that are alive (a zombie only waits for its parent to look)."""
    members = set()
    for entry in Path("/proc").iterdir():
        if entry.name.isdecimal():
            state, session = state_and_session(entry)
            if session in sessions and state not in {"Z", "X"}:
                members.add(int(entry.name))
    return members


def state_and_session(process_directory: Path) -> tuple[str, int]:
    """A process's state and session as the kernel tells them; a process that is gone is dead in no session."""
    try:
        status = (process_directory / "stat").read_text(encoding="utf-8", errors="replace")
    except (FileNotFoundError, ProcessLookupError):
        return "X", 0
    # The name in parentheses may hold blanks and parentheses itself; the fields after it do not.
    fields = status.rpartition(")")[2].split()
    return fields[0], int(fields[3])
