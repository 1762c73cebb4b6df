"""Bound and measure a child from outside, until it is gone."""

from __future__ import annotations

import os
import select
import signal
import time
from dataclasses import dataclass
from typing import Final

from grader.sandbox.messages import CPU_CLOCK, NOBODY, WALL_CLOCK

NS_PER_SECOND: Final = 1_000_000_000
NS_PER_MS: Final = 1_000_000
# The clock of a whole process, by its pid: the kernel's CPUCLOCK_SCHED.
PROCESS_CLOCK: Final = 2


class WorkerGoneError(Exception):
    """The worker closed its end: there is nobody left to run anything for."""


@dataclass(frozen=True, slots=True)
class End:
    """How a child ended, and who ended it."""

    wait_status: int
    killer: int
    cpu_ns: int
    wall_ns: int
    resident_bytes: int


def until_gone(pid: int, pidfd: int, control: int, *, cpu_limit_ns: int, wall_limit_ns: int) -> End:
    """Wait for the child's end, and bring it about at a limit, or if the worker goes."""
    began_ns = time.monotonic_ns()
    killer = _wait(pid, pidfd, control, cpu_limit_ns, began_ns + wall_limit_ns)
    _, wait_status, usage = os.wait4(pid, 0)
    cpu_ns = int((usage.ru_utime + usage.ru_stime) * NS_PER_SECOND)
    return End(wait_status, killer, cpu_ns, time.monotonic_ns() - began_ns, usage.ru_maxrss * 1024)


def _wait(pid: int, pidfd: int, control: int, cpu_limit_ns: int, deadline_ns: int) -> int:
    # One process cannot use more CPU time than wall time passes, so until then its clock need not be asked.
    cpu_left_ns, wall_left_ns = cpu_limit_ns, deadline_ns - time.monotonic_ns()
    while True:
        # Not poll: it keeps a table, and a number in memory that counts such tables would count the runs.
        patience_ns = max(min(cpu_left_ns, wall_left_ns), 0) + NS_PER_MS
        ready, _, _ = select.select((pidfd, control), (), (), patience_ns / NS_PER_SECOND)
        if pidfd in ready:
            return NOBODY
        wall_left_ns = deadline_ns - time.monotonic_ns()
        cpu_left_ns = cpu_limit_ns - _cpu_ns(pid)
        if not ready and min(cpu_left_ns, wall_left_ns) > 0:
            continue
        signal.pidfd_send_signal(pidfd, signal.SIGKILL)
        if ready:
            raise WorkerGoneError
        return CPU_CLOCK if cpu_left_ns <= 0 else WALL_CLOCK


def _cpu_ns(pid: int) -> int:
    try:
        return time.clock_gettime_ns(~pid << 3 | PROCESS_CLOCK)
    except OSError:  # it has just ended
        return 0
