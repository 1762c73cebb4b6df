"""Tests for every kind of weakness that a sandbox of this make can have, whatever the attacks in `attacks` happen to try.

Relations, leftovers, evidence, rights, ways out, tiers, verdicts, borders, honest programs: each is proven from outside
where it can be, or by comparing all that a program can see.
"""

from __future__ import annotations

import ctypes
import json
import os
import re
import signal
import struct
import subprocess
import sys
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from itertools import product
from pathlib import Path

import numpy as np
import pytest

from grader.sandbox import Limits, Returned, RunStatus, Sandbox, SandboxUnavailable, descriptors, zygote
from grader.sandbox.classify import result_of
from grader.sandbox.layers import REQUIRED, Layer
from grader.sandbox.messages import Ended
from grader.sandbox.sandbox import run_on
from grader.sandbox.wire import KIND_END, KIND_RAISED, KIND_RETURNED
from tests.grader.sandbox.attacks.program import PRELUDE
from tests.grader.sandbox.running import (
    becomes_true,
    children_of,
    frame,
    honest,
    is_alive,
    is_right,
    job,
    keeper_of,
    open_sandbox,
    require,
    returned,
    running_child_of,
)
from tests.grader.sandbox.test_other_systems import run_program
from tests.grader.sandbox.test_wire import LOADED, TWO, fault, record

pytestmark = pytest.mark.jail

only_root = pytest.mark.skipif(os.geteuid() != 0, reason="only root may look into the jail")


@pytest.fixture(scope="module", params=[3, 2, 1], ids=lambda tier: f"tier{tier}")
def jailed(request: pytest.FixtureRequest) -> Iterator[Sandbox]:
    """One sandbox of each tier for all tests of this file: what one leaves behind, another would find."""
    with open_sandbox(request.param) as opened:
        yield opened


@contextmanager
def sleeping_child(sandbox: Sandbox) -> Iterator[int]:
    """A child that has let go of its keeper and sleeps in a learner's function."""
    with ThreadPoolExecutor(1) as pool:
        running = pool.submit(run_on, sandbox._zygote, job(SLEEPS, frame(1)))
        child = running_child_of(keeper_of(sandbox))
        assert becomes_true(lambda: is_asleep(child), seconds=20)
        yield child
        assert running.result().status == RunStatus.RETURNED


def is_asleep(pid: int) -> bool:
    return "nanosleep" in Path(f"/proc/{pid}/wchan").read_text() or " 230 " in f" {called_by(pid)} "


def called_by(pid: int) -> str:
    """The number of the system call that a process is in."""
    return Path(f"/proc/{pid}/syscall").read_text().split()[0]


def numbers_of_files(pid: int) -> set[int]:
    return {int(path.name) for path in Path(f"/proc/{pid}/fd").iterdir()}


def memory_of(pid: int) -> bytes:
    """All that a process may read of its own memory."""
    found = []
    with Path(f"/proc/{pid}/mem").open("rb", buffering=0) as memory:
        for line in Path(f"/proc/{pid}/maps").read_text().splitlines():
            span, rights, *_ = line.split()
            start, end = (int(part, 16) for part in span.split("-"))
            with suppress(OSError, OverflowError):
                memory.seek(start)
                found.append(memory.read(end - start) if "r" in rights else b"")
    return b"".join(found)


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


def test_no_memory_stays_that_is_not_mapped_and_counted(jailed: Sandbox) -> None:
    """Shared memory, and a page of a huge one, would keep all of it while a program unmaps the rest and begins again."""
    assert returned(jailed.run(job(MEMORY_BEYOND_ITS_MAPS, frame(1)))) == [1, 0, 0, 0, 0]


ROOM_OF_OUR_LIBRARIES = """
import ctypes, os
libc = ctypes.CDLL(None, use_errno=True)
libc.mmap.restype = ctypes.c_long
class Library(ctypes.Structure): pass
Library._fields_ = [("at", ctypes.c_ulong), ("name", ctypes.c_char_p), ("_", ctypes.c_void_p), ("next", ctypes.POINTER(Library))]
NEEDED = (b"libpython", b"libc.", b"ld-linux", b"ctypes", b"ffi", b"libm.", b"multiarray", b"pthread", b"gcc")
def extent(at):
    # The loadable parts by the table at the library's own start.
    word = lambda place, kind=ctypes.c_ulong: kind.from_address(place).value
    parts = [at + word(at + 32) + 56 * number for number in range(word(at + 56, ctypes.c_ushort))]
    return max(word(part + 16) + word(part + 40) for part in parts if word(part, ctypes.c_uint) == 1)
def f(x):
    library = ctypes.cast(ctypes.CDLL(None)._handle, ctypes.POINTER(Library))
    while x[0] and library:
        at, name, _, library = (getattr(library.contents, field) for field, _ in Library._fields_)
        if at and name and not any(word in name for word in NEEDED):
            libc.munmap(ctypes.c_void_p(at), ctypes.c_size_t(extent(at) + 4095 & ~4095))
    held = 0
    while (page := libc.mmap(None, ctypes.c_size_t(1 << 20), 3, 0x22, -1, ctypes.c_long(0))) != -1:
        ctypes.memset(page, 1, 1 << 20)
        held += 1
    os.write(1, b"%d" % held)
    os._exit(0)
"""


def test_room_that_is_won_by_unmapping_our_libraries_may_not_be_filled(sandbox: Sandbox) -> None:
    limits = Limits(memory_bytes=64 << 20)
    within, beyond = (sandbox.run(job(ROOM_OF_OUR_LIBRARIES, frame(n), limits=limits)) for n in (0, 1))

    assert (within.status, int(within.stdout) <= 64) == (RunStatus.CRASHED, True)
    assert int(beyond.stdout) > 64
    assert (beyond.status, beyond.limit) == (RunStatus.MEMORY_LIMIT, "memory_bytes")


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
        sum(libc.prctl(1, number, 0, 0, 0) != -1 for number in OTHERS if number != 9),
        sum(libc.setrlimit(number, room) != -1 for number in range(16) if number != 6),
        libc.setrlimit(6, b"\\1" + bytes(15)) != -1,
        libc.setsid() != -1,
        sum(libc.syscall(ctypes.c_long(56), ctypes.c_long(1 << bit | 0x28001011), None, room, None, None) > 0
            for bit in range(32)),
    ]
def kills_by_number(x):
    # On new kernels two negative numbers mean the caller itself.
    for number in x:
        libc.syscall(ctypes.c_long(424), int(number), 9, None, 0)
    return x
"""


def test_what_the_keeper_needs_leads_a_child_nowhere(jailed: Sandbox) -> None:
    numbers = frame(*range(9), -1, -10000, -10001)

    assert returned(run_on(jailed._zygote, job(KEEPERS_CALLS, frame(1)))) == [0] * 7
    killed = run_on(jailed._zygote, job(KEEPERS_CALLS, numbers, function="kills_by_number"))
    assert killed.status == (RunStatus.RETURNED if jailed.tier > 1 else RunStatus.SECURITY_VIOLATION)


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

    assert returned(sandbox.run(job(code, frame(1)))) == [1, 1]
    assert "THP_enabled:\t0" in Path(f"/proc/{keeper_of(sandbox)}/status").read_text()


def test_in_a_container_that_lets_a_jail_name_itself_but_not_its_domain_a_program_may_ask_for_its_name() -> None:
    program = """
withhold(**dict.fromkeys(("mount", "umount2", "pivot_root", "keyctl", "setdomainname"), EPERM))
from tests.grader.sandbox.running import frame, job
with Sandbox(minimum_tier=2, maximum_tier=2) as opened:
    print(opened.run(job("import os\\ndef f(x):\\n    print(os.uname().nodename)\\n    return x", frame(1))).stdout)
"""

    assert run_program(program) == ["sandbox", ""]


# 1. Inherited relations


KCMP, FILE, MEMORY, FILES, FOLDER, SIGNALS = {"x86_64": 312, "aarch64": 272}.get(os.uname().machine, 0), 0, 1, 2, 3, 4
SLEEPS = "import time\ndef f(x):\n    time.sleep(0.5)\n    return x"


@only_root
def test_a_child_shares_no_object_with_its_keeper_or_with_the_worker(jailed: Sandbox) -> None:
    """Asked of the kernel, object by object: memory, tables of descriptors, working directory, handlers, open files."""
    compare = ctypes.CDLL(None, use_errno=True).syscall
    jailed.run(honest())
    # The worker lets go of a child's own files when its run ends; all that it holds besides is its own.
    of_the_run = jailed._zygote._ready[0].of_child
    own = numbers_of_files(os.getpid()) - {*of_the_run}
    with sleeping_child(jailed) as child:
        keeper = keeper_of(jailed)
        shared = [kind for kind in (MEMORY, FILES, FOLDER, SIGNALS) if compare(KCMP, keeper, child, kind, 0, 0) == 0]
        same = [
            (process, ours, theirs)
            for process, numbers in ((keeper, descriptors.own_of(jailed.tier)), (os.getpid(), own))
            for ours in numbers
            for theirs in descriptors.OF_A_RUN
            if compare(KCMP, process, child, FILE, ours, theirs) == 0
        ]
        is_telling = [compare(KCMP, child, child, kind, 0, 0) for kind in (MEMORY, FILES, FOLDER, SIGNALS)]
        is_telling.append(compare(KCMP, os.getpid(), child, FILE, of_the_run[-1], descriptors.RESULT))
        descriptors_of_child = numbers_of_files(child)
        relations = [of(keeper) == of(child) for of in (os.getsid, os.getpgid)]

    assert (shared, same, relations) == ([], [], [False, False])
    assert is_telling == [0] * 5
    assert descriptors_of_child == {*descriptors.OF_A_RUN} - {descriptors.REQUEST}


# 2. Empty is not fresh


LOOK = (
    PRELUDE
    + r"""
import atexit, decimal, errno, json, linecache, logging, random, warnings
def said(attempt):
    try:
        return repr(attempt())
    except OSError as error:
        return errno.errorcode.get(error.errno, "OSError")
    except Exception as error:
        return type(error).__name__
def asked(name, *arguments):
    return call(name, *arguments), ctypes.get_errno()
def looked():
    buffer = ctypes.create_string_buffer(512)
    at = ctypes.addressof(buffer)
    for number in range(64):
        yield f"descriptor {number}", [asked("lseek", number, 0, 1), asked("fcntl", number, 1, 0), asked("fcntl", number, 3, 0)]
        yield f"readiness {number}", asked("poll", ref(struct.pack("ihh", number, 7, 0)), 1, 0)
    for number in range(16):
        yield f"limit {number}", resource.getrlimit(number)
    for name in "getuid geteuid getgid getegid getppid getpgrp sysinfo umask getpgid getsid getpriority getcpu".split():
        yield name, asked(name, 0, 0)
    if os.getpid() == 1:
        yield "process", (os.getpid(), threading.get_native_id())
    yield "machine", said(lambda: tuple(os.uname()))
    yield "processors", said(lambda: sorted(os.sched_getaffinity(0)))
    for number in range(1, 65):
        yield f"signal {number}", (asked("rt_sigaction", number, 0, at, 8), buffer.raw[8:16], buffer.raw[24:32], buffer.raw[:8] == bytes(8))
    yield "mask", signal.pthread_sigmask(signal.SIG_BLOCK, ())
    yield "stack of signals", (asked("sigaltstack", 0, at), buffer.raw[:24])
    yield "children", resource.getrusage(resource.RUSAGE_CHILDREN)
    for number in range(-64, 20):
        yield f"clock {number}", (said(lambda: time.clock_getres(number)), asked("clock_gettime", number, at))
    for name, attempt in {
        "list": lambda: os.listdir("/"), "open": lambda: open("/etc/passwd"), "stat": lambda: os.stat("/"),
        "link": lambda: os.readlink("/proc/self"), "folder": os.getcwd, "fork": os.fork, "pipe": os.pipe,
        "copy": lambda: os.dup(0), "socket": socket.socket, "memory file": lambda: os.memfd_create("x"),
        "kill": lambda: os.kill(1, 0), "session": os.setsid, "nice": lambda: os.nice(0), "wait": os.wait,
    }.items():
        yield name, said(attempt)
    for number in range(2, 80):
        yield f"prctl {number}", asked("prctl", number, 0, 0, 0, 0)
    yield "environment", dict(os.environ)
    yield "modules", sorted(sys.modules)
    yield "random", (random.getstate(), np.random.get_state()[1].tobytes(), np.random.get_state()[2], hash("x"))
    yield "numpy", (np.geterr(), np.get_printoptions())
    yield "interpreter", (
        sys.getrecursionlimit(), sys.getswitchinterval(), sys.flags, sys.path, sys.get_int_max_str_digits(),
        gc.isenabled(), gc.get_threshold(), gc.get_freeze_count(), threading.active_count(), atexit._ncallbacks(),
    )
    yield "hooks", (sys.excepthook is sys.__excepthook__, sys.displayhook is sys.__displayhook__, gc.callbacks, sys.gettrace())
    yield "defaults", (warnings.filters, decimal.getcontext(), logging.root.level, logging.root.handlers, sorted(linecache.cache))
    yield "names", [sorted(vars(module)) for module in (np, os, sys, time, random)]
def f(x):
    print(json.dumps({name: repr(value) for name, value in looked()}))
    return x
"""
)
MISCHIEF = (
    PRELUDE
    + r"""
import atexit, builtins, decimal, linecache, logging, random, warnings
def f(x):
    for attempt in (
        lambda: resource.setrlimit(resource.RLIMIT_NPROC, (0, 0)), lambda: resource.setrlimit(resource.RLIMIT_CPU, (1, 1)),
        lambda: [signal.signal(n, signal.SIG_IGN) for n in (1, 2, 3, 10, 12, 15, 17, 24, 25)],
        lambda: signal.pthread_sigmask(signal.SIG_BLOCK, range(1, 65)),
        lambda: call("sigaltstack", ref(struct.pack("QQQ", page(size=65536), 0, 65536)), 0),
        lambda: call("prctl", 1, 9, 0, 0, 0), lambda: call("capset", ref(struct.pack("Ii", 0x20080522, 0)), ref(bytes(24))),
        lambda: [fcntl.fcntl(n, 2, n % 2) for n in FILES], lambda: [os.lseek(n, 7, 0) for n in FILES],
        lambda: os.write(1, b"mischief" * 500), lambda: os.write(2, b"mischief" * 500), lambda: os.nice(5), os.setsid,
        lambda: os.environ.update(PLANTED="1"), lambda: sys.path.append("/"), lambda: setattr(np, "planted", 1),
        lambda: (random.seed(1), np.random.seed(1)), lambda: np.seterr(all="raise"), lambda: np.set_printoptions(precision=1),
        lambda: (sys.setrecursionlimit(99), sys.setswitchinterval(9), sys.set_int_max_str_digits(0)),
        lambda: (gc.disable(), gc.unfreeze(), gc.set_threshold(1), gc.callbacks.append(print)),
        lambda: (warnings.simplefilter("error"), logging.basicConfig(level=1), setattr(decimal.getcontext(), "prec", 3)),
        lambda: (atexit.register(print), setattr(sys, "excepthook", print), sys.settrace(print)),
        lambda: [sys.modules.pop(name) for name in ("json", "re", "random")], lambda: vars(builtins).update(len=None),
        lambda: libc.mprotect(ctypes.c_void_p(id(np) & ~4095), ctypes.c_size_t(4096), 1),
        lambda: ctypes.memset(id(linecache.cache) + 24, 255, 8), lambda: [os.close(n) for n in (0, 2, 3)],
    ):
        works(attempt)
    sys.settrace(None)
    ctypes.memset(id(x) + 16, 0, 1)
    os._exit(3)
"""
)


def test_after_a_run_of_mischief_a_program_sees_exactly_what_one_saw_before(jailed: Sandbox) -> None:
    """Descriptors, limits, ids, signals, clocks, errors, options and the whole state of the interpreter."""
    limits = Limits(output_bytes=1_000_000)
    look, mischief = (job(code, frame(1, 2), limits=limits) for code in (LOOK, MISCHIEF))
    jailed._replace_zygote(limits)
    before, done, after = (run_on(jailed._zygote, program) for program in (look, mischief, look))

    seen = json.loads(before.stdout)
    assert done.status == RunStatus.CRASHED
    assert len(seen) > 300
    assert {name: value for name, value in json.loads(after.stdout).items() if value != seen[name]} == {}


@only_root
def test_nothing_of_the_run_before_and_nothing_of_the_worker_is_in_the_memory_of_a_child(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Looked for from outside, page by page, while a child sleeps."""
    monkeypatch.setenv("PLANTED", "of-the-" + "worker-4711")
    with open_sandbox(3) as opened:
        opened.run(job("TOKEN = 'of-the-' + 'run-before-4711'\nprint(TOKEN)\ndef f(x): return x * 4711.25", frame(1)))
        with sleeping_child(opened) as child:
            memory = memory_of(child)

    assert SLEEPS.encode() in memory
    assert [word for word in (b"worker-4711", b"before-4711", struct.pack("<d", 4711.25)) if word in memory] == []


# 3. Evidence within reach of the judged; 5. falling out of the child's function


WAYS_OUT = {
    "the way out returns": """
import atexit, ctypes, os
def method_of(function): return ctypes.c_void_p.from_address(id(function) + 16).value
def f(x):
    ctypes.c_void_p.from_address(method_of(os._exit) + 8).value = ctypes.c_void_p.from_address(method_of(os.getpid) + 8).value
    atexit.register(print, "still here")
    return x
""",
    "no exit at all": "import os, sys\nos._exit = sys.exit = exit = None\ndef f(x): raise SystemExit(0)",
    "its own end of the reply": (
        "import os, struct\ndef f(x):\n    os.write(4, struct.pack('<4sBBHIQQ', b'QKVR', 7, 0, 0, 1, 0, 0))\n    return x"
    ),
    "killed by its own hand": "import ctypes\ndef f(x): ctypes.CDLL(None).abort()",
    "all memory gone": "import ctypes\ndef f(x):\n    for at in range(0, 1 << 47, 1 << 40): ctypes.CDLL(None).munmap(ctypes.c_void_p(at), ctypes.c_size_t(1 << 40))",
    "every descriptor closed while it is loaded": "import os\nfor n in range(64):\n    try: os.close(n)\n    except OSError: pass\ndef f(x): return x",
}


@pytest.mark.parametrize("code", WAYS_OUT.values(), ids=WAYS_OUT.keys())
def test_no_way_out_leads_to_an_internal_error_or_behind_the_child(jailed: Sandbox, code: str) -> None:
    result = run_on(jailed._zygote, job(code, frame(1)))

    assert result.status in {RunStatus.RETURNED, RunStatus.RAISED, RunStatus.CRASHED}
    assert "sandbox" not in result.stdout
    assert children_of(keeper_of(jailed)) == []
    assert is_right(jailed.run(honest()))


# 6. The lowest tier


ORACLE = (
    PRELUDE
    + """
def f(x):
    at = ref(bytes(512))
    for pid in (int(n) for n in x):
        print([(call(*words), ctypes.get_errno()) for words in (
            ("getpgid", pid), ("getsid", pid), ("getpriority", 0, pid), ("sched_getscheduler", pid), ("sched_getparam", pid, at),
            ("sched_rr_get_interval", pid, at), ("sched_getattr", pid, at, 56, 0), ("sched_getaffinity", pid, 128, at),
            ("prlimit64", pid, 7, 0, at), ("kill", pid, 0), ("tgkill", pid, pid, 0), ("tkill", pid, 0),
            ("get_robust_list", pid, at, at), ("capget", at, at), ("rt_sigqueueinfo", pid, 9, at), ("setpgid", pid, pid),
            ("clock_gettime", ~pid << 3 | 2, at), ("clock_getres", ~pid << 3 | 2, at), ("wait4", pid, at, 0, 0),
        )])
    return x
"""
)


def test_no_call_that_asks_about_a_process_tells_whether_there_is_one(jailed: Sandbox) -> None:
    nobody = 4_194_303
    result = jailed.run(job(ORACLE, frame(os.getpid(), keeper_of(jailed), os.getppid(), nobody)))

    assert result.status == RunStatus.RETURNED
    assert len(set(result.stdout.splitlines())) == 1


@only_root
def test_nobody_in_the_jail_is_root_in_any_tier(jailed: Sandbox) -> None:
    jailed.run(honest())
    with sleeping_child(jailed) as child:
        status = {}
        for pid in (keeper_of(jailed), child):
            status = dict(line.split(":\t", 1) for line in Path(f"/proc/{pid}/status").read_text().splitlines())
            assert "0" not in status["Uid"].split() + status["Gid"].split()
            assert (status["NoNewPrivs"], status["CapBnd"].strip("0"), status["Groups"].strip()) == ("1", "", "")
        assert status["CapEff"].strip("0") + status["CapPrm"].strip("0") + status["CapInh"].strip("0") == ""


# 7. The order of verdicts


def test_a_further_broken_rule_never_makes_a_verdict_milder() -> None:
    """All combinations of what is measured: how it was killed, its time, its output, its reply."""
    facts = list(product((0, 11, 9, 31), (False, True), ("", "wall_time"), (False, True), REPLIES))
    ranks = {fact: list(RunStatus).index(judged(*fact)) for fact in facts}

    for killer, is_late, killed_for, is_flood, reply in facts:
        rank = ranks[killer, is_late, killed_for, is_flood, reply]
        assert rank <= ranks[killer, is_late, killed_for, True, reply]
        assert rank <= ranks[31, is_late, killed_for, is_flood, reply]
        assert rank <= ranks[killer, True, killed_for, is_flood, reply]
    assert set(ranks.values()) == set(range(len(RunStatus) - 1))


REPLIES = {
    "whole": LOADED + record(KIND_RETURNED, 0, TWO) + record(KIND_END, 1),
    "raised": LOADED + record(KIND_RAISED, 0, fault()) + record(KIND_END, 1),
    "out of memory": LOADED + record(KIND_RAISED, 0, fault(kind=b"MemoryError")) + record(KIND_END, 1),
    "cut": LOADED,
    "spoilt": b"spoilt",
}


def judged(killer: int, is_late: bool, killed_for: str, is_flood: bool, reply: str) -> RunStatus:
    limits = Limits(output_bytes=9)
    cpu_ns = int(limits.cpu_time.total_seconds() * 1e9) if is_late else 0
    end = Ended(killer, killed_for, 0xFF, cpu_ns, cpu_ns, 0)
    output = b"x" * (limits.output_bytes + is_flood)
    return result_of(end, REPLIES[reply], output, forms=["."], limits=limits).status


# 9. Calls that no program makes


WAITS = """
import ctypes, select, threading, time
def f(x):
    for wait in (
        lambda: time.sleep(0.1), lambda: select.select([], [], [], 0.1), lambda: select.poll().poll(100),
        lambda: threading.Event().wait(0.1), lambda: ctypes.CDLL(None).usleep(100_000),
    ):
        began = time.monotonic()
        wait()
        assert time.monotonic() - began > 0.09
    return x
"""


def test_an_honest_program_that_is_stopped_and_woken_at_any_wait_goes_on(jailed: Sandbox) -> None:
    jailed._zygote.wait_until_settled()
    with ThreadPoolExecutor(1) as pool:
        running = pool.submit(jailed.run, job(WAITS, frame(1)))
        child = running_child_of(keeper_of(jailed))
        while not running.done():
            for number in (signal.SIGSTOP, signal.SIGCONT):
                with suppress(ProcessLookupError):
                    os.kill(child, number)
                time.sleep(0.02)

        assert running.result().status == RunStatus.RETURNED


@pytest.mark.skipif(os.uname().machine != "x86_64", reason="only this machine has them")
@pytest.mark.parametrize("number", [335, 336], ids=["uretprobe", "uprobe"])
def test_a_call_that_new_kernels_let_pass_every_filter_does_nothing(jailed: Sandbox, number: int) -> None:
    code = f"import ctypes\ndef f(x):\n    return ctypes.CDLL(None).syscall(ctypes.c_long({number}), 0, 0, 0, 0)"
    result = run_on(jailed._zygote, job(code, frame(1)))

    assert result.status in {RunStatus.CRASHED, RunStatus.RETURNED}
    assert result.status == RunStatus.CRASHED or returned(result) == [-1]
    assert is_right(jailed.run(honest()))


# 10. Services switched off, or not loaded; 11. the submission as a module; 13. false accusation


ORDINARY = {
    "dates": "time.strftime('%Y'); datetime.date.fromisoformat('2024-02-29'); datetime.datetime.now().astimezone()",
    "text": "'é'.encode('utf-16'), '{:n}'.format(3), '\N{GREEK SMALL LETTER ALPHA}'.upper(), f'{x!r:>20}'",
    "tables": "np.savetxt(io.StringIO(), x); np.loadtxt(io.StringIO('1 2')); np.genfromtxt(io.StringIO('1,2'), delimiter=',')",
    "arrays in memory": "b = io.BytesIO(); np.save(b, x); b.seek(0); np.load(b)",
    "corners of numpy": "np.ma.masked_less(x, 0), np.fft.fft(x), np.random.default_rng(1).normal(), np.lib.stride_tricks.sliding_window_view(x, 1), np.vectorize(abs)(x)",
    "large arrays": "np.ones((2000, 2000)) @ np.ones((2000, 1)); np.zeros(30_000_000).sum()",
    "a failing comparison": "unittest.TestCase().assertRaises(AssertionError, unittest.TestCase().assertEqual, [1, 2], [1, 3])",
    "its own source": "inspect.getsource(f); inspect.signature(f)",
    "its own classes": "pickle.loads(pickle.dumps(Point(1))) == copy.deepcopy(Point(1)); dataclasses.replace(Point(1), a=2); typing.get_type_hints(Point)",
    "its own errors": "traceback.format_exception(ValueError('x')); warnings.warn('careful'); logging.warning('careful')",
    "a collection": "gc.isenabled() or 1 / 0; gc.collect()",
    "where it runs": "os.cpu_count(), platform.platform(), os.path.exists('/x'), locale.getlocale(), os.get_exec_path(), sys.version",
    "a lock": "threading.Lock().acquire(timeout=0.01), threading.Event().wait(0.01), threading.Timer",
    "decorators": "functools.lru_cache(f), functools.singledispatch(f), functools.partial(f, 1)",
    "run as a script": "__name__ == '__main__' or __file__, __doc__",
}
IMPORTS = (
    "import copy, dataclasses, datetime, enum, functools, gc, inspect, io, locale, logging, os, pickle, platform, sys\n"
    "import threading, time, traceback, typing, unittest, warnings\nimport numpy as np\n"
    "@dataclasses.dataclass\nclass Point:\n    a: 'int'\n"
)


@pytest.mark.parametrize("line", ORDINARY.values(), ids=ORDINARY.keys())
def test_an_ordinary_program_is_not_punished(sandbox: Sandbox, line: str) -> None:
    result = sandbox.run(
        job(f"\ufeff{IMPORTS}def f(x):\n    {line}\n    return x\n".replace("\n", "\r\n"), frame(1, 2))
    )

    assert (result.status, result.fault) == (RunStatus.RETURNED, None)


HOSTILE = {"chroot", "pidfd_open", "pidfd_send_signal", "clock_settime", "clock_settime_ns", "sethostname"}
ENDLESS_OR_LAST = {
    "_exit", "abort", "pause", "sigwait", "sigwaitinfo", "sigtimedwait", "sleep", "select", "fork", "forkpty", "system",
    "raise_signal", "default_int_handler", "alarm", "_fork_exec", "close", "closerange", "exit", "quit",
}  # fmt: skip
ENQUIRIES = (
    "import os, time, signal, resource, socket, platform, locale, threading, select, sys\n"
    "def f(x):\n"
    "    for name in dir(MODULE):\n"
    "        thing = getattr(MODULE, name)\n"
    "        if name in LEFT_OUT or not callable(thing) or isinstance(thing, type): continue\n"
    "        for arguments in ((), (0,), (1,), ('/',), (0, 0), ('/', 0), (1, 0, 0)):\n"
    "            try: thing(*arguments)\n"
    "            except BaseException: pass\n"
    "    return x\n"
)


@pytest.mark.parametrize("module", ["os", "time", "signal", "resource", "socket", "platform", "locale", "select"])
def test_no_function_of_the_library_that_only_asks_counts_as_an_attack(sandbox: Sandbox, module: str) -> None:
    code = ENQUIRIES.replace("MODULE", module).replace("LEFT_OUT", repr(HOSTILE | ENDLESS_OR_LAST))

    assert run_on(sandbox._zygote, job(code, frame(1))).status not in {
        RunStatus.SECURITY_VIOLATION,
        RunStatus.INTERNAL_ERROR,
        RunStatus.MEMORY_LIMIT,
    }


# 12. The harness shows itself


SHOWS = """
import sys, traceback, warnings, numpy as np
def f(x):
    traceback.print_stack()
    warnings.warn("careful")
    try: np.zeros(2) @ np.zeros(3)
    except ValueError: traceback.print_exc()
    print([repr(module) for module in sys.modules.values()], sys.argv, sys.path, sys.prefix, sys.executable)
    return x
"""


def test_neither_our_lines_nor_the_paths_of_this_machine_are_shown(sandbox: Sandbox) -> None:
    shown = sandbox.run(job(SHOWS, frame(1))).stdout

    assert [word for word in ("careful", "matmul") if word not in shown] == []
    ours = [str(zygote.PROJECT_ROOT), sys.prefix, sys.base_prefix, str(Path.home()), "site-packages", "grader"]
    assert [word for word in ours if word in shown] == []


# 14. Memory advice and names


ADVICE = PRELUDE + "def f(x):\n    return [n for n in range(256) if call('madvise', page(), 4096, n) != -1]\n"


def test_only_giving_memory_back_can_be_advised(jailed: Sandbox) -> None:
    assert returned(jailed.run(job(ADVICE, frame(1)))) == [4, 8]


# What is written about all this


PAGE = (zygote.PROJECT_ROOT / "docs" / "developer" / "sandbox.md").read_text(encoding="utf-8")


def rows_of(heading: str) -> list[list[str]]:
    section = PAGE.partition(f"## {heading}\n")[2].partition("\n## ")[0]
    return [[cell.strip() for cell in line.split("|")[1:-1]] for line in section.splitlines() if line.startswith("| ")]


def test_the_page_tells_of_every_wall_in_which_tiers_it_must_stand() -> None:
    told = {
        name: [tier for tier, cell in enumerate(row[1:4], start=1) if cell == "●"]
        for row in rows_of("The walls")
        if len(row) == 5
        for name in re.findall(r"`(\w+)`", row[0])
    }

    assert told == {str(wall): [tier for tier in REQUIRED if wall in REQUIRED[tier]] for wall in Layer}


def test_the_page_lists_statuses_from_the_gravest_down() -> None:
    assert [row[0].strip("`") for row in rows_of("How a run ends")[1:]] == [
        str(status) for status in reversed(RunStatus)
    ]
