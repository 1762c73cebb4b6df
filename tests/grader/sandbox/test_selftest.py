from __future__ import annotations

import struct

from grader.sandbox import Frame, Returned, RunResult, RunStatus
from grader.sandbox.selftest import PROBES, leaks


def answering(flags: bytes, on_violation: RunStatus = RunStatus.SECURITY_VIOLATION):
    """A sandbox that answers the probes with these flags."""
    probes = RunResult(
        RunStatus.RETURNED, (Returned(Frame("bool", (len(flags),), flags), "ndarray", inputs_changed=False),)
    )
    return lambda job: RunResult(on_violation) if "ptrace" in job.code else probes


def test_a_sandbox_in_which_nothing_works_is_tight():
    assert leaks(answering(bytes(len(PROBES)))) == ()


def test_a_probe_that_works_is_named():
    flags = bytearray(len(PROBES))
    flags[PROBES.index("a network socket")] = 1

    assert leaks(answering(bytes(flags))) == ("a network socket",)


def test_a_self_test_that_cannot_run_is_a_leak():
    assert leaks(lambda job: RunResult(RunStatus.TIME_LIMIT)) == ("the self-test ended as time_limit",)
    assert leaks(answering(struct.pack("?", False))) == ("the self-test ended as returned",)


def test_a_call_that_does_not_end_the_process_is_a_leak():
    sandbox = answering(bytes(len(PROBES)), on_violation=RunStatus.RETURNED)

    assert leaks(sandbox) == ("a call that should end the process",)
