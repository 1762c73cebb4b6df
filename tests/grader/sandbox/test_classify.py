from __future__ import annotations

import signal
from dataclasses import replace

import pytest

from grader.sandbox import Limits, RunStatus, WrongKind
from grader.sandbox.classify import LIBRARY_BYTES, result_of
from grader.sandbox.messages import Ended
from grader.sandbox.wire import (
    KIND_END,
    KIND_LOADED,
    KIND_NOT_LOADED,
    KIND_RAISED,
    KIND_RETURNED,
    KIND_TOO_LARGE,
    NO_CASE,
)
from grader.sandbox.zygote import file_bytes
from tests.grader.sandbox.test_wire import LOADED, TWO, fault, record

LIMITS = Limits()
SECOND = 1_000_000_000
GOOD = LOADED + record(KIND_RETURNED, 0, TWO) + record(KIND_END, 1)
OUT_OF_MEMORY = LOADED + record(KIND_RAISED, 0, fault(kind=b"MemoryError")) + record(KIND_END, 1)
RAISED = LOADED + record(KIND_RAISED, 0, fault()) + record(KIND_END, 1)
FLOOD = b"x" * (LIMITS.output_bytes + 1)


def ended(wait_status: int = 0, *, cpu_ns: int = 0, killed_for: str = "") -> Ended:
    return Ended(wait_status, killed_for, 0xFF, cpu_ns, cpu_ns, 1024)


def judge(end: Ended, result: bytes = GOOD, output: bytes = b"") -> tuple[RunStatus, str]:
    judged = result_of(end, result, output, forms=["."], limits=LIMITS)
    return judged.status, judged.limit


# Each row breaks its own rule and all those of the rows below it.
GRAVEST_FIRST = [
    (ended(signal.SIGSYS, cpu_ns=3 * SECOND, killed_for="cpu_time"), OUT_OF_MEMORY, RunStatus.SECURITY_VIOLATION, ""),
    (
        ended(signal.SIGKILL, cpu_ns=3 * SECOND, killed_for="wall_time"),
        OUT_OF_MEMORY,
        RunStatus.TIME_LIMIT,
        "wall_time",
    ),
    (ended(signal.SIGKILL), OUT_OF_MEMORY, RunStatus.MEMORY_LIMIT, "memory_bytes"),
    (ended(signal.SIGSEGV), RAISED, RunStatus.OUTPUT_LIMIT, "output_bytes"),
]


@pytest.mark.parametrize(("end", "result", "status", "limit"), GRAVEST_FIRST)
def test_the_gravest_of_several_counts(end, result, status, limit):
    assert judge(end, result, FLOOD) == (status, limit)


def test_a_run_that_returned():
    assert judge(ended()) == (RunStatus.RETURNED, "")


def test_a_run_that_raised():
    assert judge(ended(), RAISED) == (RunStatus.RAISED, "")


def test_the_kernels_own_limit_of_cpu_time_counts_as_ours():
    assert judge(ended(signal.SIGKILL, cpu_ns=2 * SECOND), b"") == (RunStatus.TIME_LIMIT, "cpu_time")


def test_a_run_that_ended_by_itself_just_before_it_would_be_killed_counts():
    assert judge(ended(killed_for="cpu_time", cpu_ns=2 * SECOND)) == (RunStatus.RETURNED, "")


def test_a_signal_of_its_own_is_a_crash():
    assert judge(ended(signal.SIGSEGV), b"") == (RunStatus.CRASHED, "")


@pytest.mark.parametrize("result", [b"", GOOD[:5], GOOD + b"x", LOADED + record(KIND_RETURNED, 0, TWO)])
def test_a_reply_that_is_cut_or_spoilt_is_the_learners_crash_and_never_our_error(result):
    assert judge(ended(), result) == (RunStatus.CRASHED, "")


def test_results_at_their_cap():
    too_large = LOADED + record(KIND_TOO_LARGE, 0) + record(KIND_END, 1)

    assert judge(ended(), too_large) == (RunStatus.OUTPUT_LIMIT, "result_bytes")
    assert judge(ended(), bytes(file_bytes(LIMITS))) == (RunStatus.OUTPUT_LIMIT, "result_bytes")
    assert result_of(ended(), too_large, b"", forms=["."], limits=LIMITS).outcomes == (WrongKind("too large"),)


def test_code_nested_too_deeply_is_no_memory_limit():
    nested = record(KIND_NOT_LOADED, NO_CASE, fault(stage=0, kind=b"MemoryError")) + record(KIND_END, NO_CASE)

    assert judge(ended(), nested) == (RunStatus.RAISED, "")


def test_memory_that_was_filled_counts_however_room_for_it_was_made():
    """A program may unmap our libraries and take their place; it may also be the first to touch a part of them."""
    filled = LIMITS.memory_bytes + LIBRARY_BYTES

    assert judge(replace(ended(), memory_bytes=filled)) == (RunStatus.RETURNED, "")
    assert judge(replace(ended(), memory_bytes=filled + 1)) == (RunStatus.MEMORY_LIMIT, "memory_bytes")


def test_output_is_shown_up_to_its_cap():
    assert result_of(ended(), GOOD, FLOOD, forms=["."], limits=LIMITS).stdout == "x" * LIMITS.output_bytes


def test_what_was_printed_is_told_apart_by_case_and_kept_where_a_case_did_not_end():
    result = record(KIND_LOADED, NO_CASE, printed=4) + record(KIND_RETURNED, 0, TWO, printed=9)

    whole = result_of(ended(), result + record(KIND_END, 1), b"loadfirst", forms=["."], limits=LIMITS)
    cut = result_of(ended(signal.SIGSEGV), result, b"loadfirstsecond", forms=[".", "."], limits=LIMITS)
    unread = result_of(ended(), b"forged", b"text", forms=["."], limits=LIMITS)

    assert whole.printed == ("load", "first")
    assert cut.printed == ("load", "first", "second")
    assert unread.printed == ("text",)
