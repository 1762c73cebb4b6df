"""From a fresh clone of the keeper to a jailed process: every wall, in the only order that works.

This runs in the child before any byte of a submission exists there. Each step either stands or raises; afterwards the
child asks the kernel what stands, and reports only that.
"""

from __future__ import annotations

import errno
import os
import platform
import resource
import signal
from collections.abc import Callable, Mapping
from contextlib import suppress
from typing import Final

from grader.sandbox import descriptors, kernel, procfs
from grader.sandbox.layers import HIGHEST_TIER, Layer
from grader.sandbox.policy import filter_for

INSIDE_ID: Final = 65534
HOST_NAME: Final = "sandbox"
STACK_BYTES: Final = 8 * 1024 * 1024
MAX_DESCRIPTORS: Final = 16
NAMESPACE_LAYERS: Final = {
    "user": Layer.USER_NAMESPACE,
    "pid": Layer.PID_NAMESPACE,
    "mnt": Layer.MOUNT_NAMESPACE,
    "net": Layer.NETWORK_NAMESPACE,
    "ipc": Layer.IPC_NAMESPACE,
    "uts": Layer.UTS_NAMESPACE,
    "cgroup": Layer.CGROUP_NAMESPACE,
}
FIXED_LIMITS: Final = {
    resource.RLIMIT_CORE: 0,
    resource.RLIMIT_NOFILE: MAX_DESCRIPTORS,
    resource.RLIMIT_NPROC: 0,
    resource.RLIMIT_STACK: STACK_BYTES,
    resource.RLIMIT_MEMLOCK: 0,
    resource.RLIMIT_MSGQUEUE: 0,
    resource.RLIMIT_SIGPENDING: 0,
    resource.RLIMIT_NICE: 0,
    resource.RLIMIT_RTPRIO: 0,
}


def warm_up() -> None:
    """Work out what every child needs, once, in the keeper."""
    kernel.is_bounding_set_empty()
    for hides_host_name in (True, False):
        filter_for(platform.machine(), hides_host_name=hides_host_name)


def namespaces_now() -> dict[str, str]:
    """Name the namespaces of the calling process."""
    return {name: procfs.namespace_of("self", name) for name in NAMESPACE_LAYERS}


def enter(
    tier: int, bounds: Mapping[int, int], *, outside_uid: int, namespaces_outside: Mapping[str, str]
) -> dict[str, str]:
    """Raise every wall of a tier around this process and return those that stand, with what the kernel said."""
    standing: dict[str, str] = {}
    has_namespaces = tier > 1
    if descriptors.are_only(descriptors.COUNT):
        standing[Layer.BARE_DESCRIPTORS] = f"{descriptors.COUNT} known ones"
    os.setsid()
    if has_namespaces:
        _forbid_more_namespaces(standing, is_required=tier == HIGHEST_TIER)
        standing |= _new_namespaces(namespaces_outside)
    hides_host_name = has_namespaces and _hide_host_name()
    if has_namespaces or os.geteuid() == 0:
        kernel.drop_bounding_set()
        _become(INSIDE_ID if has_namespaces else outside_uid)
    # A limit on memory counts from what is mapped before any learner's code.
    mapped_bytes, _ = procfs.mapped_and_resident_bytes("self")
    limits = {**FIXED_LIMITS, **bounds, resource.RLIMIT_AS: mapped_bytes + bounds[resource.RLIMIT_AS]}
    if tier == HIGHEST_TIER:
        _empty_the_root(standing)
    _limit_resources(limits)
    _give_up_rights(standing)
    standing |= _attest(limits)
    kernel.load_filter(filter_for(platform.machine(), hides_host_name=hides_host_name))
    if _is_refused(lambda: os.open("/", os.O_RDONLY)) and _is_refused(lambda: os.getpgid(0)):
        standing[Layer.SECCOMP] = "file and process calls are refused"
    return {str(layer): detail for layer, detail in standing.items()}


def _forbid_more_namespaces(standing: dict[str, str], *, is_required: bool) -> None:
    try:
        procfs.write("/proc/sys/user/max_user_namespaces", "0")
    except OSError:
        if is_required:
            raise
        return
    standing[Layer.NO_MORE_NAMESPACES] = "max_user_namespaces is 0"


def _hide_host_name() -> bool:
    """Take another host name where that is allowed; containers may refuse it, and uname is then refused as well."""
    try:
        kernel.set_host_name(HOST_NAME)
    except OSError:
        return False
    return True


def _new_namespaces(outside: Mapping[str, str]) -> dict[str, str]:
    inside = namespaces_now()
    return {layer: inside[name] for name, layer in NAMESPACE_LAYERS.items() if inside[name] != outside[name]}


def _become(uid: int) -> None:
    """Take on an id without rights. Where the keeper is an ordinary user, its groups cannot be given up."""
    with suppress(PermissionError):
        os.setgroups([])
    os.setresgid(uid, uid, uid)
    os.setresuid(uid, uid, uid)


def _empty_the_root(standing: dict[str, str]) -> None:
    """Leave a file system of one empty directory that cannot be written.

    /proc is where the empty one is put because that directory exists wherever a keeper can work at all.
    """
    kernel.mount("none", "/", None, kernel.MS_REC | kernel.MS_PRIVATE)
    closed = kernel.MS_NOSUID | kernel.MS_NODEV | kernel.MS_NOEXEC
    kernel.mount("none", "/proc", "tmpfs", closed, "size=4k,nr_inodes=2,mode=0555")
    os.chdir("/proc")
    kernel.make_root_of_working_directory()
    os.chdir("/")
    kernel.mount("none", "/", None, kernel.MS_REMOUNT | kernel.MS_BIND | kernel.MS_RDONLY | closed)
    # Asked at once: once Landlock stands, even this question is refused.
    if _is_root_empty():
        standing[Layer.EMPTY_ROOT] = "an empty read-only directory"


def _limit_resources(limits: Mapping[int, int]) -> None:
    """Soft and hard limits are one: a process that is init of its namespace ignores the signal of a soft limit."""
    for limit, value in limits.items():
        hard = resource.getrlimit(limit)[1]
        bound = value if hard == resource.RLIM_INFINITY else min(value, hard)
        resource.setrlimit(limit, (bound, bound))


def _give_up_rights(standing: dict[str, str]) -> None:
    kernel.prctl(kernel.PR_SET_NO_NEW_PRIVS, 1)
    if kernel.landlock_version():
        kernel.landlock_forbid_all()
        standing[Layer.LANDLOCK] = f"version {kernel.landlock_version()}, no right left"
    with suppress(OSError):
        kernel.prctl(kernel.PR_SET_MDWE, kernel.PR_MDWE_REFUSE_EXEC_GAIN)
        standing[Layer.NO_NEW_CODE] = "memory never becomes executable"
    kernel.prctl(kernel.PR_SET_DUMPABLE, 0)
    # After every change of identity, because each of them clears it.
    kernel.prctl(kernel.PR_SET_PDEATHSIG, signal.SIGKILL)
    kernel.drop_capabilities()


def _attest(limits: Mapping[int, int]) -> dict[str, str]:
    """Ask the kernel, not our memory, which walls stand."""
    questions: dict[Layer, tuple[Callable[[], bool], str]] = {
        Layer.UNPRIVILEGED_UID: (_is_unprivileged, f"uid {os.geteuid()}, gid {os.getegid()}"),
        Layer.NO_CAPABILITIES: (kernel.has_no_capabilities, "no capability in any set"),
        Layer.EMPTY_BOUNDING_SET: (kernel.is_bounding_set_empty, "no capability can come back"),
        Layer.NO_NEW_PRIVILEGES: (lambda: kernel.prctl(kernel.PR_GET_NO_NEW_PRIVS) == 1, "set for good"),
        Layer.NOT_DUMPABLE: (lambda: kernel.prctl(kernel.PR_GET_DUMPABLE) == 0, "neither dumped nor traced"),
        Layer.RESOURCE_LIMITS: (lambda: _are_limits_set(limits), f"{len(limits)} of them"),
        Layer.OWN_SESSION: (lambda: os.getsid(0) == os.getpid() == os.getpgid(0), "own session and process group"),
        Layer.DIES_WITH_KEEPER: (lambda: kernel.parent_death_signal() == signal.SIGKILL, "killed with it"),
    }
    return {layer: detail for layer, (holds, detail) in questions.items() if holds()}


def _is_unprivileged() -> bool:
    return 0 not in (*os.getresuid(), *os.getresgid())


def _are_limits_set(limits: Mapping[int, int]) -> bool:
    return all(0 <= max(resource.getrlimit(limit)) <= value for limit, value in limits.items())


def _is_root_empty() -> bool:
    is_read_only = bool(os.statvfs("/").f_flag & os.ST_RDONLY)
    return is_read_only and os.listdir("/") == []  # noqa: PTH208 -- names are all that is wanted


def _is_refused(call: Callable[[], object]) -> bool:
    try:
        call()
    except OSError as error:
        return error.errno == errno.EPERM
    return False
