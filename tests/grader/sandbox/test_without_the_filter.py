"""What still works with a wall left out, nearly always the filter, goes no further than its reason in `test_ablation` says.

Every reason there is shown here to be true: by what a child sees of others, by what changes for its keeper, and by
what the next child finds.
"""

from __future__ import annotations

import ctypes
import os
import socket
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest

from grader.sandbox import RunResult, Sandbox
from grader.sandbox.sandbox import run_on
from tests.grader.sandbox import test_ablation as reasons
from tests.grader.sandbox.ablation import removed_here
from tests.grader.sandbox.attacks import ATTACKS
from tests.grader.sandbox.attacks.program import NUMBERS, PRELUDE
from tests.grader.sandbox.attacks.striking import PATIENT, QUICK
from tests.grader.sandbox.running import (
    becomes_true,
    children_of,
    frame,
    honest,
    is_alive,
    is_right,
    job,
    keeper_of,
    require,
    returned,
    running_child_of,
)

pytestmark = pytest.mark.jail

only_root = pytest.mark.skipif(os.geteuid() != 0, reason="only root may look into the jail")

BY_NAME = {attack.name: attack for attack in ATTACKS}
REACHED = reasons.REACHED["seccomp"]
# Of a process: who it is, what it may, how it is scheduled, what it may use; and not how much it has used.
LASTING = [
    "Umask",
    "Tgid",
    "Pid",
    "PPid",
    "TracerPid",
    "Uid",
    "Gid",
    "FDSize",
    "Groups",
    "Threads",
    "SigPnd",
    "ShdPnd",
    "SigBlk",
    "SigIgn",
    "SigCgt",
    "CapInh",
    "CapPrm",
    "CapEff",
    "CapBnd",
    "CapAmb",
    "NoNewPrivs",
    "Seccomp",
    "THP_enabled",
    "VmLck",
    "VmPin",
    "HugetlbPages",
    "Cpus_allowed",
    "Mems_allowed",
    "CoreDumping",
]
IOPRIO_OF_A_PROCESS = 1


@pytest.fixture
def weakened() -> Iterator[Sandbox]:
    """The full jail but for its filter."""
    require(3)
    with removed_here("seccomp"), Sandbox() as opened:
        opened.run(replace(honest(), limits=PATIENT))
        yield opened


def ran(sandbox: Sandbox, code: str, *numbers: float) -> RunResult:
    """What came of a program of ours, written like those of the catalogue."""
    return run_on(sandbox._zygote, job(PRELUDE + code, frame(*(numbers or (0.0,))), limits=PATIENT))


def strike(sandbox: Sandbox, reason: str) -> None:
    """Run all attacks that are listed with a reason."""
    for name in REACHED[reason].split():
        for _ in range(BY_NAME[name].runs):
            run_on(sandbox._zygote, job(BY_NAME[name].code, frame(1, 2), limits=QUICK))


def state_of(pid: int) -> dict[str, object]:
    """All that another process could have changed of this one."""
    process = Path(f"/proc/{pid}")
    status = dict(line.split(":", 1) for line in (process / "status").read_text().splitlines())
    scheduled = (process / "stat").read_text().rpartition(")")[2].split()
    ioprio_get = ctypes.CDLL(None, use_errno=True).syscall
    return {
        **{name: status.get(name, "").strip() for name in LASTING},
        "scheduling": [scheduled[place] for place in (15, 16, 37, 38)],
        "ioprio": ioprio_get(NUMBERS["ioprio_get"], IOPRIO_OF_A_PROCESS, pid),
        "files": sorted(os.listdir(process / "fd")),  # noqa: PTH208 -- the names
        "relations": [os.getpgid(pid), os.getsid(pid)],
        **{name: (process / name).read_text() for name in ("limits", "oom_score_adj", "cgroup", "mountinfo")},
    }


def settled_state_of(pid: int) -> dict[str, object]:
    """The same once it stays as it is: just after a run a keeper may still be closing its files."""
    seen = [state_of(pid)]

    def stays() -> bool:
        time.sleep(0.1)
        seen.append(state_of(pid))
        return seen[-1] == seen[-2]

    becomes_true(stays, seconds=5)
    return seen[-1]


def state_of_the_system() -> dict[str, object]:
    """All that a process could have changed for everybody."""
    return {
        "name": os.uname(),
        "objects": [Path(f"/proc/sysvipc/{kind}").read_text().splitlines()[1:] for kind in ("msg", "sem")],
        "swaps": Path("/proc/swaps").read_text(),
        "modules": Path("/proc/modules").read_text() if Path("/proc/modules").exists() else "",
        "settings": [
            Path(f"/proc/sys/kernel/{name}").read_text() for name in ("hostname", "domainname", "core_pattern")
        ],
    }


@only_root
@pytest.mark.parametrize("reason", sorted(REACHED))
def test_no_attack_changes_its_keeper_or_the_system(weakened: Sandbox, reason: str) -> None:
    keeper, worker = keeper_of(weakened), os.getpid()
    before = settled_state_of(keeper), state_of_the_system(), state_of(worker)["scheduling"], state_of(worker)["limits"]

    strike(weakened, reason)

    assert keeper_of(weakened) == keeper
    becomes_true(lambda: state_of(keeper) == before[0], seconds=5)
    assert (state_of(keeper), state_of_the_system()) == before[:2]
    assert (state_of(worker)["scheduling"], state_of(worker)["limits"]) == before[2:]
    assert children_of(keeper) == []
    assert is_right(weakened.run(replace(honest(), limits=PATIENT)))


@only_root
@pytest.mark.parametrize("wall", sorted(reasons.REACHED.keys() - {"seccomp"}))
def test_what_another_missing_wall_lets_through_changes_nobody(wall: str) -> None:
    require(3)
    with removed_here(wall), Sandbox() as opened:
        opened.run(replace(honest(), limits=QUICK))
        keeper = keeper_of(opened)
        before = settled_state_of(keeper), state_of_the_system()

        for name in " ".join(reasons.REACHED[wall].values()).split():
            run_on(opened._zygote, job(BY_NAME[name].code, frame(1, 2), limits=QUICK))

        becomes_true(lambda: state_of(keeper) == before[0], seconds=5)
        assert (state_of(keeper), state_of_the_system()) == before
        assert is_right(opened.run(replace(honest(), limits=QUICK)))


OTHERS = """
def f(x):
    at, much = ref(bytes(512)), page()
    span = ref(struct.pack('QQ', much, 8))
    known = sum(count(
        lambda: call('kill', pid, 0), lambda: call('tgkill', pid, pid, 0), lambda: call('pidfd_open', pid, 0),
        lambda: call('process_vm_readv', pid, span, 1, span, 1, 0), lambda: call('ptrace', 16, pid, 0, 0),
        lambda: call('ptrace', 0x4206, pid, 0, 0), lambda: call('kcmp', 1, pid, 0, 0, 0),
        lambda: call('move_pages', pid, 0, 0, 0, 0, 0), lambda: call('migrate_pages', pid, 64, at, at),
        lambda: call('get_robust_list', pid, at, at), lambda: call('prlimit64', pid, 7, 0, at),
        lambda: call('sched_getparam', pid, at), lambda: call('sched_getattr', pid, at, 56, 0),
        lambda: call('getpriority', 0, pid), lambda: call('getpriority', 1, pid), lambda: call('ioprio_get', 1, pid),
        lambda: call('getsid', pid), lambda: call('getpgid', pid), lambda: call('setpgid', pid, pid),
        lambda: call('clock_gettime', ~pid << 3 | 2, at),
    ) for pid in map(int, x))
    # All that there are but itself: the kernel's own word for nobody.
    is_alone = call('kill', -1, 0) == -1 and ctypes.get_errno() == 3
    return [known, is_alone, os.getppid(), os.getpid()]
"""


def test_a_child_sees_no_process_but_itself(weakened: Sandbox) -> None:
    with Sandbox() as neighbour:
        others = (os.getpid(), weakened._zygote.pid, keeper_of(weakened), keeper_of(neighbour), 2)

        assert returned(ran(weakened, OTHERS, *others)) == [0, True, 0, 1]


STATE_OF_FILES = """
import errno, json
def f(x):
    def said(attempt):
        try: return attempt()
        except OSError as error: return errno.errorcode[error.errno]
    print(json.dumps([
        [said(lambda: fcntl.fcntl(n, command, 0)) for command in (1, 3, 9, 11, 1025, 1034, 1035)]
        + [repr(said(lambda: fcntl.fcntl(n, 16, bytes(8)))), said(lambda: os.lseek(n, 0, 1)), said(lambda: os.fstat(n).st_mode),
           said(lambda: fcntl.flock(n, 6)), said(lambda: os.listxattr(n)), said(lambda: os.fstat(n).st_uid)]
        for n in FILES]))
    return x
"""


def test_the_next_child_finds_its_files_as_they_were_made(weakened: Sandbox) -> None:
    before = ran(weakened, STATE_OF_FILES).stdout
    strike(weakened, reasons.ONLY_ITS_FILES)

    assert len(before) > 200
    assert ran(weakened, STATE_OF_FILES).stdout == before


OBJECTS = """
def f(x):
    found = [call('shmget', 1234, 4096, 0o666), call('msgget', 1234, 0o666), call('semget', 1234, 1, 0o666)]
    made = [call('shmget', 1234, 4096, 0o1666), call('msgget', 1234, 0o1666), call('semget', 1234, 1, 0o1666)]
    return [sum(number != -1 for number in found), sum(number != -1 for number in made)]
"""


def test_the_next_child_finds_no_object_of_the_last_one(weakened: Sandbox) -> None:
    strike(weakened, reasons.ONLY_ITS_OBJECTS)

    assert [returned(ran(weakened, OBJECTS)) for _ in range(2)] == [[0, 3], [0, 3]]
    made = [Path(f"/proc/sysvipc/{kind}").read_text().split() for kind in ("shm", "msg", "sem")]
    assert [words for words in made if "1234" in words] == []


CONNECTIONS = """
def f(x):
    def reaches(family, kind, address):
        with socket.socket(family, kind) as mine:
            mine.settimeout(0.5)
            mine.connect(address)
            mine.send(b'x')
    port = int(x[0])
    return [
        count(
            lambda: reaches(socket.AF_INET, socket.SOCK_STREAM, ('127.0.0.1', port)),
            lambda: reaches(socket.AF_INET, socket.SOCK_DGRAM, ('127.0.0.1', port)),
            lambda: reaches(socket.AF_INET6, socket.SOCK_STREAM, ('::1', port)),
            lambda: reaches(socket.AF_UNIX, socket.SOCK_STREAM, '\\0witness-of-the-worker'),
            lambda: reaches(socket.AF_VSOCK, socket.SOCK_STREAM, (2, port)),
            lambda: reaches(socket.AF_VSOCK, socket.SOCK_STREAM, (1, port)),
        ),
        len(socket.if_nameindex()),
        count(lambda: KEPT.append(socket.socket(socket.AF_UNIX)) or KEPT[-1].bind('\\0left-by-a-child')),
    ]
"""


def test_a_child_reaches_nobody_by_any_socket_and_leaves_none_behind(weakened: Sandbox) -> None:
    with closing(socket.socket()) as listener, closing(socket.socket(socket.AF_UNIX)) as named:
        listener.bind(("127.0.0.1", 0))
        named.bind("\0witness-of-the-worker")
        for witness in (listener, named):
            witness.listen()

        said = [returned(ran(weakened, CONNECTIONS, listener.getsockname()[1])) for _ in range(2)]

    # One device: the loop of a network with nobody in it, and not even that is up.
    assert said == [[0, 1, 1]] * 2


PATHS = """
def f(x):
    made = count(
        lambda: os.open('/x', os.O_CREAT | os.O_WRONLY), lambda: os.mkdir('/x'), lambda: os.symlink('/', '/x'),
        lambda: os.mknod('/x'), lambda: os.link('/', '/x'), lambda: os.open('/', 0o20200002), lambda: os.chmod('/', 0o777),
        lambda: os.chown('/', 0, 0), lambda: os.utime('/'), lambda: os.setxattr('/', 'user.x', b'x'),
        lambda: call('mount', ref(b'none\\0'), ref(b'/\\0'), ref(b'tmpfs\\0'), 0, 0), lambda: os.chroot('/'),
    )
    found = count(*(lambda path=path: os.stat(path) for path in (
        '/proc', '/proc/self', '/etc', '/dev', '/sys', '/tmp', '/root', '/home', '/usr', '/x', '/../etc', '/./proc/1')))
    return [made, found, count(lambda: os.listdir('/')[0], lambda: os.listdir('/..')[0])]
"""


def test_the_root_of_a_child_is_empty_and_stays_so(weakened: Sandbox) -> None:
    strike(weakened, reasons.EMPTY_ROOT)

    assert [returned(ran(weakened, PATHS)) for _ in range(2)] == [[0, 0, 0]] * 2


MEMORY = """
def f(x):
    held = 0
    for _ in range(64):
        file = call('memfd_create', ref(b'x\\0'), 0)
        if file == -1: break
        try:
            while True: held += os.write(file, bytes(1 << 20))
        except OSError:
            pass
    return [held, count(lambda: call('mlock', page(), 4096), lambda: call('mlockall', 3))]
"""


def test_what_a_child_can_hold_beside_its_memory_is_bounded_and_cannot_be_locked(weakened: Sandbox) -> None:
    """By how many files it may have open, and how large one may grow."""
    held, locked = returned(ran(weakened, MEMORY))

    assert held <= 16 * (PATIENT.result_bytes + (1 << 20))
    assert locked == 0


RAISES = """
def f(x):
    hard = [resource.getrlimit(n)[1] & 0xFFFFFFFFFFFFFFFF for n in range(16)]
    for n in range(16):
        for much in (hard[n] + 1, 1 << 40, -1):
            for attempt in (lambda: resource.setrlimit(n, (much, much)), lambda: resource.setrlimit(n, (hard[n], much))):
                works(attempt)
    return sum(resource.getrlimit(n)[1] & 0xFFFFFFFFFFFFFFFF > hard[n] for n in range(16))
"""


def test_no_hard_limit_can_be_raised(weakened: Sandbox) -> None:
    assert returned(ran(weakened, RAISES)) == [0]


STAYS = """
def f(x):
    call('prctl', 1, 0, 0, 0, 0)
    works(os.setsid)
    time.sleep(9)
    return x
"""


@only_root
def test_a_child_that_gave_up_its_death_signal_still_goes_with_its_keeper(weakened: Sandbox) -> None:
    with ThreadPoolExecutor(1) as pool:
        keeper = keeper_of(weakened)
        running = pool.submit(ran, weakened, STAYS)
        child = running_child_of(keeper)
        assert becomes_true(lambda: "nanosleep" in Path(f"/proc/{child}/wchan").read_text(), seconds=10)
        os.kill(keeper, 9)

        assert becomes_true(lambda: not is_alive(child), seconds=10)
        running.result()


PLANTED = "planted-by-a-child-4711"
PLANTS = f"""
def f(x):
    return sum(call('add_key', ref(b'user'), ref(b'{PLANTED}'), ref(b'1'), 1, ring) > 0 for ring in (-1, -2, -3, -4, -5))
"""
SEARCHES = f"""
def f(x):
    return sum(call('keyctl', 10, ring, ref(b'user'), ref(b'{PLANTED}'), 0) > 0 for ring in (-1, -2, -3, -4, -5))
"""


def test_a_key_stays_within_its_keeper(weakened: Sandbox) -> None:
    """The one thing that a later child could find; with the filter, asking for it ends the child and the keeper."""
    with Sandbox() as neighbour:
        planted = returned(ran(weakened, PLANTS))

        assert planted > [0]
        assert returned(ran(neighbour, SEARCHES)) == [0]
    assert PLANTED not in Path("/proc/keys").read_text()


SHOWN_BY: dict[str, Callable[..., None]] = {
    reasons.ONLY_ITSELF: test_a_child_sees_no_process_but_itself,
    reasons.ONLY_ITS_FILES: test_the_next_child_finds_its_files_as_they_were_made,
    reasons.ONLY_ITS_OBJECTS: test_the_next_child_finds_no_object_of_the_last_one,
    reasons.NO_NETWORK: test_a_child_reaches_nobody_by_any_socket_and_leaves_none_behind,
    reasons.OUTSIDE_NAMESPACES: test_a_child_reaches_nobody_by_any_socket_and_leaves_none_behind,
    reasons.KERNEL_LOG: test_no_attack_changes_its_keeper_or_the_system,
    reasons.EMPTY_ROOT: test_the_root_of_a_child_is_empty_and_stays_so,
    reasons.ONLY_A_QUESTION: test_no_attack_changes_its_keeper_or_the_system,
    reasons.ONLY_A_SURFACE: test_what_a_child_can_hold_beside_its_memory_is_bounded_and_cannot_be_locked,
    reasons.OWN_LIMITS: test_no_hard_limit_can_be_raised,
    reasons.FIRST_PROCESS: test_a_child_that_gave_up_its_death_signal_still_goes_with_its_keeper,
    reasons.FILTER_ALONE: test_a_key_stays_within_its_keeper,
    # These try nothing but the filter.
    reasons.NO_VIOLATION: test_no_attack_changes_its_keeper_or_the_system,
}


def test_every_reason_is_shown() -> None:
    assert SHOWN_BY.keys() == REACHED.keys()
