"""One or more tests for every kind of weakness that a sandbox of this make can have, whatever the attacks in `attacks`
happen to try: relations, leftovers, evidence, rights, ways out, tiers, verdicts, borders, and honest programs."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from grader.sandbox import Returned, RunStatus, Sandbox, SandboxUnavailable, zygote
from tests.grader.sandbox.running import (
    becomes_true,
    frame,
    honest,
    is_alive,
    is_right,
    job,
    keeper_of,
    open_sandbox,
    require,
    returned,
)

pytestmark = pytest.mark.jail


def end_and_see_it_gone(pid: int) -> None:
    os.kill(pid, signal.SIGKILL)
    assert becomes_true(lambda: not is_alive(pid), seconds=5)


def test_a_keeper_that_died_between_two_runs_is_replaced_and_no_descriptor_is_closed_twice() -> None:
    """As when memory runs out: then the kernel ends keepers first."""
    with open_sandbox(3) as opened:
        assert is_right(opened.run(honest()))
        opened._zygote.wait_until_settled()
        end_and_see_it_gone(opened._zygote.pid)
        numbers_taken = [os.dup(0) for _ in range(64)]

        assert [is_right(opened.run(honest())) for _ in range(2)] == [True, True]
        opened.close()
        for number in numbers_taken:
            os.close(number)


MEMORY_BEYOND_ITS_MAPS = """
import ctypes
libc = ctypes.CDLL(None, use_errno=True)
libc.mmap.restype = ctypes.c_long
def f(x):
    def is_mapped(flags, size=1 << 22):
        return libc.mmap(None, ctypes.c_size_t(size), 3, flags, -1, ctypes.c_long(0)) != -1
    whole = libc.mmap(None, ctypes.c_size_t(1 << 22), 3, 0x22, -1, ctypes.c_long(0))
    is_huge = libc.madvise(ctypes.c_long(whole), ctypes.c_size_t(1 << 22), 14) != -1
    return [is_mapped(0x22), is_mapped(0x21), is_mapped(0x23), is_mapped(0x28), is_huge]
"""


def test_no_memory_stays_that_is_not_mapped_and_counted(tier: int) -> None:
    """Shared memory, and a page of a huge one, would keep all of it while a program unmaps the rest and begins again."""
    with open_sandbox(tier) as opened:
        assert returned(opened.run(job(MEMORY_BEYOND_ITS_MAPS, frame(1)))) == [1, 0, 0, 0, 0]


FILES_TELL_NOTHING = """
import ctypes, os
libc = ctypes.CDLL(None, use_errno=True)
def f(x):
    room = ctypes.create_string_buffer(512)
    return sum(libc.syscall(ctypes.c_long(5 if os.uname().machine == "x86_64" else 80), number, room) != -1
               for number in range(5))
"""


def test_no_number_of_an_inode_counts_the_runs_for_a_program(sandbox: Sandbox) -> None:
    assert returned(sandbox.run(job(FILES_TELL_NOTHING, frame(1)))) == [0]


KEEPERS_CALLS = """
import ctypes, os
libc = ctypes.CDLL(None, use_errno=True)
libc.syscall.restype = ctypes.c_long
OTHERS = (*range(64), -1, -100, -10000, -10001, -10002)
def f(x):
    room = ctypes.create_string_buffer(4096)
    return [
        sum(libc.recvmsg(number, room, 0x40) != -1 for number in OTHERS),
        sum(libc.wait4(number, None, 0, None) != -1 for number in OTHERS),
    ]
def kills_by_number(x):
    # On new kernels two negative numbers mean the caller itself.
    for number in x:
        libc.syscall(ctypes.c_long(424), int(number), 9, None, 0)
    return x
"""


def test_what_the_keeper_needs_leads_a_child_nowhere(tier: int) -> None:
    with open_sandbox(tier) as opened:
        assert returned(opened.run(job(KEEPERS_CALLS, frame(1)))) == [0, 0]
        result = opened.run(job(KEEPERS_CALLS, frame(*range(9), -1, -10000, -10001), function="kills_by_number"))
        assert result.status == (RunStatus.RETURNED if tier > 1 else RunStatus.SECURITY_VIOLATION)


FORGED = """
import os, struct
RECORD, FRAME, KIND = struct.Struct("<4sBBHIQQ"), struct.Struct("<4sBBHQ4Q"), struct.Struct("<HH")
def f(x):
    sizes = [int(size) for size in x]
    payload = KIND.pack(7, 0) + b"ndarray" + FRAME.pack(b"QKVF", 1, 4, 0, 0, *sizes)
    os.write(4, RECORD.pack(b"QKVR", 2, 0, 0, 0, len(payload), 0) + payload + RECORD.pack(b"QKVR", 7, 0, 0, 1, 0, 0))
    os._exit(0)
"""


@pytest.mark.parametrize(
    ("sizes", "status"),
    [((0, 2, 3, 4), RunStatus.RETURNED), ((0, *[2**32 - 2] * 3), RunStatus.CRASHED)],
    ids=["sizes of an array", "sizes of none"],
)
def test_every_forged_array_that_is_taken_can_be_made(
    sandbox: Sandbox, sizes: tuple[int, ...], status: RunStatus
) -> None:
    """Else the worker's own code fails on it later, and a learner's act becomes our failure."""
    result = sandbox.run(job(FORGED, frame(*sizes, dtype="int64")))

    assert result.status == status
    for outcome in result.outcomes:
        assert isinstance(outcome, Returned)
        assert np.frombuffer(outcome.frame.data).reshape(outcome.frame.shape).shape == sizes


def test_truth_values_made_of_other_bytes_come_back_as_true_and_false(sandbox: Sandbox) -> None:
    code = "import numpy as np\ndef f(x): return np.array([0, 1, 2, 255], np.uint8).view(bool)"

    assert returned(sandbox.run(job(code, frame(1)))) == [False, True, True, True]


def test_a_keeper_that_shares_memory_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    """Some builds of Python write small pieces of machine code by way of memory that a clone would share."""
    require(3)
    sharing = zygote.BOOT.replace("; main()", "; import mmap; kept = mmap.mmap(-1, 4096); main()")
    monkeypatch.setattr(zygote, "BOOT", sharing)

    with pytest.raises(SandboxUnavailable, match="own_memory"):
        Sandbox()


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can name the domain of a machine")
def test_neither_the_name_nor_the_domain_of_the_host_is_seen() -> None:
    require(3)
    program = """
import ctypes, os, sys
sys.path.insert(0, os.getcwd())
ctypes.CDLL(None).setdomainname(b"faculty", 7)
from tests.grader.sandbox.running import frame, job, open_sandbox
with open_sandbox(3) as opened:
    code = "import ctypes\\ndef f(x):\\n    b = ctypes.create_string_buffer(400)\\n    ctypes.CDLL(None).uname(b)\\n    print([b.raw[n:n + 65].strip(bytes(1)) for n in (65, 325)])\\n    return x"
    print(opened.run(job(code, frame(1))).stdout)
"""
    finished = subprocess.run(
        ["unshare", "--uts", sys.executable, "-c", program], capture_output=True, text=True, check=True
    )

    assert finished.stdout.strip() == "[b'sandbox', b'sandbox']"


def test_a_crash_starts_no_program_and_no_page_is_huge(sandbox: Sandbox) -> None:
    code = "import resource\ndef f(x): return [float(n) for n in resource.getrlimit(resource.RLIMIT_CORE)]"
    status = Path(f"/proc/{keeper_of(sandbox)}/status").read_text()

    assert returned(sandbox.run(job(code, frame(1)))) == [1, 1]
    assert "THP_enabled:\t0" in status
