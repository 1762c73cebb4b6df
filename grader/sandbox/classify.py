"""From what was measured outside to one status: the gravest that holds, whatever came first."""

from __future__ import annotations

import os
import signal
from collections.abc import Iterator, Sequence
from datetime import timedelta
from typing import Final

from grader.sandbox.job import Limits
from grader.sandbox.messages import Ended
from grader.sandbox.result import Fault, FaultStage, Raised, RunResult, RunStatus, WrongKind
from grader.sandbox.text import readable
from grader.sandbox.wire import TOO_LARGE, MalformedReplyError, Reply, parse_reply
from grader.sandbox.zygote import file_bytes

MEMORY_ERROR: Final = "MemoryError"
NS_PER_MICROSECOND: Final = 1_000
# Parts of our libraries that a program is the first to touch; they are in memory then, and not of its making.
LIBRARY_BYTES: Final = 32 * 1024 * 1024


def result_of(ended: Ended, result: bytes, output: bytes, *, forms: Sequence[str], limits: Limits) -> RunResult:
    """Put together what a run came to; `forms` are those of the results that its cases should have had."""
    try:
        reply = parse_reply(result, forms)
    except MalformedReplyError:
        reply = Reply()
    fault = reply.fault or next((outcome.fault for outcome in reply.outcomes if isinstance(outcome, Raised)), None)
    status, limit = _status_of(ended, reply, fault, _overflowing(result, output, reply, limits), limits)
    return RunResult(
        status=status,
        outcomes=reply.outcomes,
        stdout=readable(output[: limits.output_bytes]),
        printed=tuple(_parts(output[: limits.output_bytes], reply.printed_bytes)),
        fault=fault,
        cpu_time=timedelta(microseconds=ended.cpu_ns // NS_PER_MICROSECOND),
        wall_time=timedelta(microseconds=ended.wall_ns // NS_PER_MICROSECOND),
        memory_bytes=ended.memory_bytes,
        limit=limit,
    )


def _parts(output: bytes, ends: Sequence[int]) -> Iterator[str]:
    """Cut the output where each case ended; what comes after belongs to the case that did not end."""
    start = 0
    for end in ends:
        yield readable(output[start:end])
        start = end
    if output[start:]:
        yield readable(output[start:])


def _status_of(
    ended: Ended, reply: Reply, fault: Fault | None, overflowing: str, limits: Limits
) -> tuple[RunStatus, str]:
    killer = os.WTERMSIG(ended.wait_status) if os.WIFSIGNALED(ended.wait_status) else 0
    time_limit = _time_limit(ended, killer, limits)
    # Nobody but us and the kernel short of memory kills a child this way.
    is_out_of_memory = killer == signal.SIGKILL or (fault is not None and _is_out_of_memory(fault))
    # A program that unmaps our libraries gets their room in its address space, and still may not fill it.
    has_too_much = ended.memory_bytes > limits.memory_bytes + LIBRARY_BYTES
    ranks = (
        (killer == signal.SIGSYS, RunStatus.SECURITY_VIOLATION, ""),
        (bool(time_limit), RunStatus.TIME_LIMIT, time_limit),
        (is_out_of_memory or has_too_much, RunStatus.MEMORY_LIMIT, "memory_bytes"),
        (bool(overflowing), RunStatus.OUTPUT_LIMIT, overflowing),
        (bool(killer) or not reply.is_complete, RunStatus.CRASHED, ""),
        (fault is not None, RunStatus.RAISED, ""),
        (True, RunStatus.RETURNED, ""),
    )
    return next((status, limit) for holds, status, limit in ranks if holds)


def _time_limit(ended: Ended, killer: int, limits: Limits) -> str:
    if ended.killed_for and killer == signal.SIGKILL:
        return ended.killed_for
    used_all = timedelta(microseconds=ended.cpu_ns // NS_PER_MICROSECOND) >= limits.cpu_time
    return "cpu_time" if killer and used_all else ""


def _is_out_of_memory(fault: Fault) -> bool:
    # The parser says MemoryError of code that is nested too deeply, too.
    return fault.kind == MEMORY_ERROR and fault.stage != FaultStage.SYNTAX


def _overflowing(result: bytes, output: bytes, reply: Reply, limits: Limits) -> str:
    if len(output) > limits.output_bytes:
        return "output_bytes"
    is_too_large = any(isinstance(outcome, WrongKind) and outcome.kind == TOO_LARGE for outcome in reply.outcomes)
    return "result_bytes" if is_too_large or len(result) >= file_bytes(limits) else ""
