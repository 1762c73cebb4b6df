"""From what was measured outside to one status: the gravest that holds, whatever came first."""

from __future__ import annotations

import os
import signal
from datetime import timedelta
from typing import Final

from grader.sandbox.job import Limits
from grader.sandbox.messages import Ended
from grader.sandbox.result import Fault, Raised, RunResult, RunStatus, WrongKind
from grader.sandbox.text import readable
from grader.sandbox.wire import TOO_LARGE, MalformedReply, Reply, parse_reply
from grader.sandbox.zygote import file_bytes

MEMORY_ERROR: Final = "MemoryError"
NS_PER_MICROSECOND: Final = 1_000


def result_of(ended: Ended, result: bytes, output: bytes, *, case_count: int, limits: Limits) -> RunResult:
    """Put together what a run came to."""
    try:
        reply = parse_reply(result, case_count)
    except MalformedReply:
        reply = Reply()
    fault = reply.fault or next((outcome.fault for outcome in reply.outcomes if isinstance(outcome, Raised)), None)
    status, limit = _status_of(ended, reply, fault, _overflowing(result, output, reply, limits), limits)
    return RunResult(
        status=status,
        outcomes=reply.outcomes,
        stdout=readable(output[: limits.output_bytes]),
        fault=fault,
        cpu_time=timedelta(microseconds=ended.cpu_ns // NS_PER_MICROSECOND),
        wall_time=timedelta(microseconds=ended.wall_ns // NS_PER_MICROSECOND),
        memory_bytes=ended.memory_bytes,
        limit=limit,
    )


def _status_of(
    ended: Ended, reply: Reply, fault: Fault | None, overflowing: str, limits: Limits
) -> tuple[RunStatus, str]:
    killer = os.WTERMSIG(ended.wait_status) if os.WIFSIGNALED(ended.wait_status) else 0
    if killer == signal.SIGSYS:
        return RunStatus.SECURITY_VIOLATION, ""
    time_limit = _time_limit(ended, killer, limits)
    if time_limit:
        return RunStatus.TIME_LIMIT, time_limit
    # Nobody but us and the kernel short of memory kills a child this way.
    if killer == signal.SIGKILL or (fault is not None and _is_out_of_memory(fault)):
        return RunStatus.MEMORY_LIMIT, "memory_bytes"
    if overflowing:
        return RunStatus.OUTPUT_LIMIT, overflowing
    if killer or not reply.is_complete:
        return RunStatus.CRASHED, ""
    return (RunStatus.RAISED if fault else RunStatus.RETURNED), ""


def _time_limit(ended: Ended, killer: int, limits: Limits) -> str:
    if ended.killed_for and killer == signal.SIGKILL:
        return ended.killed_for
    used_all = timedelta(microseconds=ended.cpu_ns // NS_PER_MICROSECOND) >= limits.cpu_time
    return "cpu_time" if killer and used_all else ""


def _is_out_of_memory(fault: Fault) -> bool:
    # The parser says MemoryError of code that is nested too deeply, too.
    return fault.kind == MEMORY_ERROR and fault.stage != "syntax"


def _overflowing(result: bytes, output: bytes, reply: Reply, limits: Limits) -> str:
    if len(output) > limits.output_bytes:
        return "output_bytes"
    is_too_large = any(isinstance(outcome, WrongKind) and outcome.kind == TOO_LARGE for outcome in reply.outcomes)
    return "result_bytes" if is_too_large or len(result) >= file_bytes(limits) else ""
