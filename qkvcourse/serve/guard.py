"""The process that outlives a killed supervisor just long enough to end its services."""

from __future__ import annotations

import os
import signal
import sys
from dataclasses import dataclass

from qkvcourse.serve.processes import end_sessions

PATIENCE_SECONDS = 3.0
FAREWELL = "done"


@dataclass(frozen=True, slots=True)
class Guard:
    """The supervisor's end of the pipe to its guard."""

    pid: int
    pipe: int

    def watch(self, session: int) -> None:
        """Tell the guard of a session that must not outlive the supervisor."""
        os.write(self.pipe, f"+{session}\n".encode())

    def forget(self, session: int) -> None:
        """Tell the guard that a session has ended, before its number can mean another one."""
        os.write(self.pipe, f"-{session}\n".encode())

    def dismiss(self) -> None:
        """Let the guard go: everything has been stopped in order."""
        os.write(self.pipe, f"{FAREWELL}\n".encode())
        os.close(self.pipe)
        os.waitpid(self.pid, 0)


def start_guard() -> Guard:
    """Fork the guard. Called before the supervisor opens anything but its lock, which the guard then shares."""
    reading_end, writing_end = os.pipe()
    pid = os.fork()
    if pid:
        os.close(reading_end)
        return Guard(pid, writing_end)
    os.close(writing_end)
    try:
        stand_guard(reading_end)
    finally:
        os._exit(0)


def stand_guard(reading_end: int) -> None:
    """Follow the supervisor's reports; when they break off, end what they named."""
    os.setsid()
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, signal.SIG_IGN)
    sessions: set[int] = set()
    with os.fdopen(reading_end, encoding="ascii") as reports:
        for report in reports:
            line = report.strip()
            if line == FAREWELL:
                return
            if line.startswith("+"):
                sessions.add(int(line[1:]))
            else:
                sessions.discard(int(line[1:]))
    ended = end_sessions(sessions, patience_seconds=PATIENCE_SECONDS)
    sys.stderr.write(f"serve: the supervisor was killed; ended what it had started ({ended} processes)\n")
