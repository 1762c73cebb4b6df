"""Try to break out at start-up, one attempt per class. A sandbox in which any of them works does not run code."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta
from typing import Final

from grader.sandbox.job import Case, Job, Limits
from grader.sandbox.result import Returned, RunResult, RunStatus

PROBES: Final = (
    "a second process",
    "another program",
    "a thread",
    "a file of this machine",
    "a list of the root directory",
    "a new file",
    "another process's memory",
    "a network socket",
    "a unix socket",
    "a signal to another process",
    "a signal to its group",
    "a variable of the environment",
    "a raised limit",
    "another identity",
    "a memory file",
    "a pipe",
    "executable memory",
    "a mapped file",
    "a descriptor beyond the five",
    "a look at another process's clock",
    "its own results read back",
    "a new name for the process",
)
# `attempt` counts a call as failed when it raises or returns -1.
PROBE_CODE: Final = """
import ctypes, mmap, os, resource, signal, socket, threading, time
libc = ctypes.CDLL(None, use_errno=True)
libc.mmap.restype = ctypes.c_long

def works(attempt):
    try:
        result = attempt()
    except BaseException:
        return False
    return not (result is False or (isinstance(result, int) and result == -1))

def probe():
    return [works(attempt) for attempt in (
        os.fork,
        lambda: os.execv("/bin/true", ["true"]),
        lambda: threading.Thread(target=int).start(),
        lambda: open("/etc/passwd"),
        lambda: os.listdir("/"),
        lambda: open("/tmp/probe", "w"),
        lambda: open("/proc/1/mem", "rb"),
        lambda: socket.socket(socket.AF_INET),
        lambda: socket.socket(socket.AF_UNIX),
        lambda: os.kill(1, 0),
        lambda: os.killpg(0, 0),
        lambda: bool(os.environ),
        lambda: resource.setrlimit(resource.RLIMIT_NOFILE, (4096, 4096)),
        lambda: os.setuid(0),
        lambda: os.memfd_create("probe"),
        os.pipe,
        lambda: libc.mmap(None, 4096, 7, 0x22, -1, 0),
        lambda: libc.mmap(None, 4096, 1, 1, 4, 0),
        lambda: any(works(lambda: os.lseek(number, 0, 1)) for number in (3, *range(5, 64))),
        lambda: any(works(lambda: time.clock_gettime(~pid << 3 | 2)) for pid in range(1, 400) if pid != os.getpid()),
        lambda: os.pread(4, 1, 0),
        lambda: libc.prctl(15, b"probe", 0, 0, 0),
    )]
"""
# ptrace: a call that no honest program makes must end the process at once.
VIOLATION_CODE: Final = """
import ctypes
def probe():
    ctypes.CDLL(None).ptrace(0, 0, 0, 0)
    return 1.0
"""
# What is fixed when a keeper settles stays as it is for learners: so one keeper serves both.
LIMITS: Final = Limits(wall_time=timedelta(seconds=20))


def leaks(run: Callable[[Job], RunResult]) -> tuple[str, ...]:
    """Run every probe and name those that worked; a self-test that cannot be run counts as a leak, too."""
    result = run(_job(PROBE_CODE))
    outcome = result.outcomes[0] if result.outcomes else None
    if not isinstance(outcome, Returned) or outcome.frame.shape != (len(PROBES),):
        return (f"the self-test ended as {result.status}",)
    worked = tuple(name for name, did_work in zip(PROBES, outcome.frame.data, strict=True) if did_work)
    if run(_job(VIOLATION_CODE)).status != RunStatus.SECURITY_VIOLATION:
        worked = (*worked, "a call that should end the process")
    return worked


def _job(code: str) -> Job:
    return Job(code, "probe", (Case(()),), LIMITS)
