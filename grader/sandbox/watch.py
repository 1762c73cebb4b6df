"""Let a child run, from outside: its limits, its clocks, its end."""

from __future__ import annotations

import os
import select
import signal
import time
from typing import Final

from grader.sandbox import child
from grader.sandbox.messages import Ended, Go
from grader.sandbox.nursery import Child

NS_PER_SECOND: Final = 1_000_000_000
NS_PER_MS: Final = 1_000_000
# The clock of a whole process, by its pid: the kernel's CPUCLOCK_SCHED.
PROCESS_CLOCK: Final = 2


class ChildLostError(Exception):
    """A child was gone before the learner's code began."""


class WorkerGoneError(Exception):
    """The worker closed its end: there is nobody left to run anything for."""


def run(waiting: Child, go: Go, control: int) -> Ended:
    """Let a waiting child go, and measure and bound it until it is gone."""
    cpu_before_ns = _cpu_ns(waiting.pid)
    try:
        os.write(waiting.orders, child.GO)
    except BrokenPipeError as error:
        raise ChildLostError from error
    if os.read(waiting.report, 1) != child.RUNNING:
        raise ChildLostError
    began_ns = time.monotonic_ns()
    killed_for = _watch(waiting, go, control, cpu_before_ns)
    _, wait_status, usage = os.wait4(waiting.pid, 0)
    ended_ns = time.monotonic_ns()
    cpu_ns = int((usage.ru_utime + usage.ru_stime) * NS_PER_SECOND) - cpu_before_ns
    memory_bytes = max(usage.ru_maxrss * 1024 - waiting.resident_bytes, 0)
    return Ended(wait_status, max(cpu_ns, 0), ended_ns - began_ns, memory_bytes, killed_for)


def end(waiting: Child) -> None:
    """End a child that is not wanted any more."""
    signal.pidfd_send_signal(waiting.pidfd, signal.SIGKILL)
    os.waitpid(waiting.pid, 0)
    release(waiting)


def release(waiting: Child) -> None:
    """Let go of what the keeper held of a child that is gone."""
    os.close(waiting.pidfd)
    os.close(waiting.orders)
    os.close(waiting.report)


def _watch(waiting: Child, go: Go, control: int, cpu_before_ns: int) -> str:
    """Wait for the child's end, and bring it about at a limit; return which limit that was, if any."""
    poll = select.poll()
    poll.register(waiting.pidfd, select.POLLIN)
    poll.register(control, select.POLLIN)
    deadline_ns = time.monotonic_ns() + go.wall_ns
    killed_for = ""
    while True:
        wall_left_ns = deadline_ns - time.monotonic_ns()
        cpu_left_ns = go.cpu_ns - (_cpu_ns(waiting.pid) - cpu_before_ns)
        if not killed_for and min(wall_left_ns, cpu_left_ns) <= 0:
            killed_for = "cpu_time" if cpu_left_ns <= 0 else "wall_time"
            signal.pidfd_send_signal(waiting.pidfd, signal.SIGKILL)
        # One process cannot use more CPU time than wall time passes, so the sooner of both is early enough.
        patience_ms = None if killed_for else min(wall_left_ns, cpu_left_ns) // NS_PER_MS + 1
        events = {descriptor for descriptor, _ in poll.poll(patience_ms)}
        if waiting.pidfd in events:
            return killed_for
        if control in events:
            signal.pidfd_send_signal(waiting.pidfd, signal.SIGKILL)
            raise WorkerGoneError


def _cpu_ns(pid: int) -> int:
    try:
        return time.clock_gettime_ns(~pid << 3 | PROCESS_CLOCK)
    except OSError:  # it has just ended
        return 0
