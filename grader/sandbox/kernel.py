"""The few system calls that Python 3.11 does not offer, and nothing else."""

from __future__ import annotations

import ctypes
import os
import platform
import signal
import struct
import sys
from functools import cache
from typing import Final

from grader.sandbox.syscall_numbers import MACHINES, numbers_of

CLONE_PIDFD: Final = 0x00001000
CLONE_NEWNS: Final = 0x00020000
CLONE_NEWCGROUP: Final = 0x02000000
CLONE_NEWUTS: Final = 0x04000000
CLONE_NEWIPC: Final = 0x08000000
CLONE_NEWUSER: Final = 0x10000000
CLONE_NEWPID: Final = 0x20000000
CLONE_NEWNET: Final = 0x40000000
# Those of the keeper, which its children share, and those that every child gets for itself.
SHARED_NAMESPACES: Final = (
    CLONE_NEWUSER | CLONE_NEWPID | CLONE_NEWNS | CLONE_NEWNET | CLONE_NEWUTS | CLONE_NEWCGROUP | CLONE_NEWIPC
)
FRESH_NAMESPACES: Final = CLONE_NEWPID | CLONE_NEWIPC

MS_RDONLY, MS_NOSUID, MS_NODEV, MS_NOEXEC, MS_REMOUNT, MS_BIND, MS_REC, MS_PRIVATE = (
    1,
    2,
    4,
    8,
    32,
    4096,
    16384,
    1 << 18,
)
MNT_DETACH: Final = 2

PR_SET_PDEATHSIG, PR_GET_PDEATHSIG, PR_GET_DUMPABLE, PR_SET_DUMPABLE = 1, 2, 3, 4
PR_CAPBSET_READ, PR_CAPBSET_DROP = 23, 24
PR_SET_NO_NEW_PRIVS, PR_GET_NO_NEW_PRIVS = 38, 39
PR_CAP_AMBIENT, PR_CAP_AMBIENT_CLEAR_ALL = 47, 4
PR_SET_MDWE, PR_MDWE_REFUSE_EXEC_GAIN = 65, 1
PR_SET_THP_DISABLE: Final = 41

SECCOMP_SET_MODE_FILTER: Final = 1
KEYCTL_JOIN_SESSION_KEYRING: Final = 1
LANDLOCK_CREATE_RULESET_VERSION: Final = 1
FIRST_64_BIT_SIZE: Final = 2**32
INSTRUCTION_BYTES: Final = 8
CAPABILITY_VERSION_3: Final = 0x20080522
CAPABILITY_HEADER: Final = struct.pack("<Ii", CAPABILITY_VERSION_3, 0)
CAP_SYS_ADMIN: Final = 1 << 21
# What each version of Landlock can forbid: file system rights, network rights, scopes.
LANDLOCK_RIGHTS: Final = (
    (1, (1 << 13) - 1, 0, 0),
    (2, (1 << 14) - 1, 0, 0),
    (3, (1 << 15) - 1, 0, 0),
    (4, (1 << 15) - 1, 0b11, 0),
    (5, (1 << 16) - 1, 0b11, 0),
    (6, (1 << 16) - 1, 0b11, 0b11),
)

_libc = ctypes.CDLL(None, use_errno=True)
# The variant that keeps the interpreter's lock: a clone must not hand it to somebody else.
_locked_libc = ctypes.PyDLL(None, use_errno=True)
_prepared = _locked_libc.syscall
_libc.syscall.restype = _prepared.restype = ctypes.c_long
_prepared.argtypes = (ctypes.c_long,) * 6


def unsupported_reason() -> str:
    """Say why this machine cannot hold a jail at all, or nothing."""
    processor = platform.machine()
    if sys.platform != "linux":
        return f"the sandbox needs Linux, and this is {sys.platform}: run the grader in its container"
    if processor not in MACHINES or sys.maxsize < FIRST_64_BIT_SIZE or sys.byteorder != "little":
        return f"the sandbox knows 64-bit {' and '.join(MACHINES)}, not {processor}: run the grader on such a machine"
    return ""


@cache
def machine() -> str:
    """Return the name of this kind of processor; not by `platform`, which would keep the host's name with it."""
    return os.uname().machine


@cache
def _numbers() -> dict[str, int]:
    return numbers_of(machine())


def _checked(result: int, what: str) -> int:
    if result < 0:
        code = ctypes.get_errno()
        raise OSError(code, f"{what}: {os.strerror(code)}")
    return result


def _call(name: str, *arguments: int | bytes | None) -> int:
    words = [ctypes.c_long(word) if isinstance(word, int) else ctypes.c_char_p(word) for word in arguments]
    return _checked(int(_libc.syscall(ctypes.c_long(_numbers()[name]), *words)), name)


Call = tuple[int, int, int, int, int, int]
_alive: list[object] = []


def call(name: str, *words: int) -> Call:
    """Work out a system call in advance: its number and five words."""
    number, *rest = (_numbers()[name], *words, 0, 0, 0, 0, 0)
    return (number, rest[0], rest[1], rest[2], rest[3], rest[4])


def ask(prepared: Call) -> int:
    """Make a prepared call; return what the kernel says, -1 where it refuses."""
    return int(_prepared(*prepared))


def address_of(data: bytes) -> int:
    """Put bytes where the kernel can read them, for as long as this process lives."""
    buffer = ctypes.create_string_buffer(data, len(data))
    _alive.append(buffer)
    return ctypes.addressof(buffer)


def filter_header(program: bytes) -> int:
    """Put a seccomp filter where the kernel can read it; return the address of its header."""
    return address_of(struct.pack("<HxxxxxxQ", len(program) // INSTRUCTION_BYTES, address_of(program)))


class Clone:
    """Fork into new namespaces without running anybody's fork hooks; says which process descriptor came of it."""

    def __init__(self, namespaces: int) -> None:
        self._pidfd = ctypes.c_int(-1)
        self._call = call("clone", namespaces | CLONE_PIDFD | signal.SIGCHLD, 0, ctypes.addressof(self._pidfd))

    def __call__(self) -> int:
        """Return twice, as fork does: with the child's id, and with 0 in the child."""
        return _checked(ask(self._call), "clone")

    @property
    def pidfd(self) -> int:
        """The descriptor of the last child, in the parent."""
        return self._pidfd.value


def unshare(namespaces: int) -> None:
    """Move this process into new namespaces."""
    _call("unshare", namespaces)


def prctl(option: int, value: int = 0, second: int = 0) -> int:
    """Ask for something about the calling process."""
    return _call("prctl", option, value, second, 0, 0)


def parent_death_signal() -> int:
    """Ask which signal comes when the parent dies."""
    number = ctypes.c_int()
    _checked(int(_libc.prctl(PR_GET_PDEATHSIG, ctypes.byref(number))), "prctl")
    return number.value


def mount(source: str, target: str, kind: str | None, flags: int, data: str | None = None) -> None:
    """Mount, or change a mount."""
    encoded_kind, encoded_data = kind.encode() if kind else None, data.encode() if data else None
    _call("mount", source.encode(), target.encode(), encoded_kind, flags, encoded_data)


def make_root_of_working_directory() -> None:
    """Make the working directory the root, and let go of the old root."""
    _call("pivot_root", b".", b".")
    _call("umount2", b".", MNT_DETACH)


def set_host_name(name: str) -> None:
    """Name this uts namespace."""
    _call("sethostname", name.encode(), len(name))


def set_domain_name(name: str) -> None:
    """Name the domain of this uts namespace."""
    _call("setdomainname", name.encode(), len(name))


def drop_bounding_set() -> None:
    """Take every capability out of the bounding set, so that none can ever come back."""
    for capability in _known_capabilities():
        prctl(PR_CAPBSET_DROP, capability)


def is_bounding_set_empty() -> bool:
    """Ask the kernel about every capability it knows."""
    return not any(prctl(PR_CAPBSET_READ, capability) for capability in _known_capabilities())


@cache
def _known_capabilities() -> tuple[int, ...]:
    known = []
    for capability in range(64):
        try:
            prctl(PR_CAPBSET_READ, capability)
        except OSError:
            break
        known.append(capability)
    return tuple(known)


def keep_capabilities(mask: int) -> None:
    """Give up every capability held now but these of the first 32."""
    prctl(PR_CAP_AMBIENT, PR_CAP_AMBIENT_CLEAR_ALL)
    header = ctypes.create_string_buffer(CAPABILITY_HEADER, len(CAPABILITY_HEADER))
    sets = struct.pack("<6I", mask, mask, 0, 0, 0, 0)
    _checked(int(_libc.capset(header, ctypes.create_string_buffer(sets, len(sets)))), "capset")


def capabilities() -> int:
    """Ask the kernel which capabilities are left, in any of the three sets."""
    header = ctypes.create_string_buffer(CAPABILITY_HEADER, len(CAPABILITY_HEADER))
    sets = ctypes.create_string_buffer(24)
    _checked(int(_libc.capget(header, sets)), "capget")
    low, high = sets.raw[:12], sets.raw[12:]
    return _or(low) | _or(high) << 32


def _or(words: bytes) -> int:
    first, second, third = struct.unpack("<III", words)
    return int(first | second | third)


def join_new_session_keyring() -> None:
    """Leave the keyring of whoever started us."""
    _call("keyctl", KEYCTL_JOIN_SESSION_KEYRING, None, 0, 0, 0)


def landlock_version() -> int:
    """Return the version of Landlock, 0 where the kernel has none."""
    try:
        return _call("landlock_create_ruleset", None, 0, LANDLOCK_CREATE_RULESET_VERSION)
    except OSError:
        return 0


def landlock_ruleset() -> int:
    """Make a ruleset that forbids every right that this kernel's Landlock knows, without exception."""
    version = landlock_version()
    rights = [row for row in LANDLOCK_RIGHTS if row[0] <= version][-1]
    # An older kernel takes the longer structure as long as the words that it does not know are zero.
    attributes = struct.pack("<QQQ", *rights[1:])
    return _call("landlock_create_ruleset", attributes, len(attributes), 0)


def landlock_restrict(ruleset: int) -> None:
    """Live by a ruleset from now on; needs no_new_privs."""
    _call("landlock_restrict_self", ruleset, 0)


def load_filter(program: bytes) -> None:
    """Load a seccomp filter for good."""
    _checked(ask(call("seccomp", SECCOMP_SET_MODE_FILTER, 0, filter_header(program))), "seccomp")
