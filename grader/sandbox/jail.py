"""From an ordinary process to the jailed keeper: every wall, in the only order that works.

This runs once, before the keeper makes its first child; a clone inherits all of it. Each step either stands or raises;
afterwards the keeper asks the kernel what stands, and reports only that. What a clone does not inherit is in `child`.
"""

from __future__ import annotations

import errno
import os
import resource
import signal
from collections.abc import Callable, Mapping
from contextlib import suppress
from typing import Final

from grader.sandbox import descriptors, kernel, procfs
from grader.sandbox.layers import HIGHEST_TIER, LOWEST_TIER, Layer, missing_in_keeper
from grader.sandbox.messages import Settle
from grader.sandbox.policy import filter_for, keeper_filter_for

# As root we may choose the learner's uid: one that Debian reserves and nobody uses, and not the one of the neighbour.
FIRST_SPARE_UID: Final = 65_000
SPARE_UIDS: Final = 500
INSIDE_ID: Final = 65534
FIRST_OF_ALL: Final = "1000"
FIRST_PROCESS: Final = 1
HOST_NAME: Final = "sandbox"
STACK_BYTES: Final = 8 * 1024 * 1024
MAX_DESCRIPTORS: Final = 16
NAMESPACE_LAYERS: Final = {
    "user": Layer.USER_NAMESPACE,
    "mnt": Layer.MOUNT_NAMESPACE,
    "net": Layer.NETWORK_NAMESPACE,
    "ipc": Layer.IPC_NAMESPACE,
    "uts": Layer.UTS_NAMESPACE,
    "cgroup": Layer.CGROUP_NAMESPACE,
}
FIXED_LIMITS: Final = {
    # One byte: with none, a system that pipes what is left of a crash to a program would start that program.
    resource.RLIMIT_CORE: 1,
    resource.RLIMIT_NOFILE: MAX_DESCRIPTORS,
    resource.RLIMIT_STACK: STACK_BYTES,
    resource.RLIMIT_MEMLOCK: 0,
    resource.RLIMIT_MSGQUEUE: 0,
    resource.RLIMIT_SIGPENDING: 0,
    resource.RLIMIT_NICE: 0,
    resource.RLIMIT_RTPRIO: 0,
}


class NotJailedError(Exception):
    """The keeper could not be jailed; the text says which wall does not stand."""


def clone_flags(tier: int) -> int:
    """The namespaces that every child gets for itself."""
    return kernel.FRESH_NAMESPACES if tier > LOWEST_TIER else 0


def strict_filter(tier: int) -> bytes:
    """What a child must load on top of the keeper's filter: in the lowest tier its rights are too many, else none are."""
    return b"" if tier > LOWEST_TIER else filter_for(kernel.machine(), hides_host_name=False)


def enter(settle: Settle) -> dict[str, str]:
    """Raise every wall of a tier around this process; return those that stand, with what the kernel said.

    Raises NotJailedError.
    """
    standing: dict[str, str] = {}
    try:
        _raise_all(settle.tier, _limits(settle), standing)
    except OSError as error:
        raise NotJailedError(f"a wall cannot be raised here ({error})") from error
    missing = missing_in_keeper(settle.tier, standing)
    if missing:
        raise NotJailedError(f"these walls do not stand: {', '.join(missing)}")
    return {str(layer): detail for layer, detail in standing.items()}


def _limits(settle: Settle) -> dict[int, int]:
    """The keeper's clock is the exact limit of time; the kernel's own stands behind it, in case the keeper is stopped."""
    return {
        **FIXED_LIMITS,
        # A limit on memory counts from what is mapped before any learner's code.
        resource.RLIMIT_AS: procfs.mapped_bytes() + settle.memory_bytes,
        resource.RLIMIT_FSIZE: settle.file_bytes,
        resource.RLIMIT_CPU: settle.cpu_seconds,
    }


def _raise_all(tier: int, limits: Mapping[int, int], standing: dict[str, str]) -> None:
    has_namespaces = tier > LOWEST_TIER
    _part_from_the_worker(tier, standing)
    if has_namespaces:
        standing |= _new_namespaces()
        _become_first_process()
        _forbid_more_namespaces(standing, is_required=tier == HIGHEST_TIER)
        kernel.drop_bounding_set()
    hides_host_name = has_namespaces and _hide_host_name()
    if tier == HIGHEST_TIER:
        _empty_the_root(standing)
    _limit_resources(limits)
    _give_up_rights(standing, capabilities=kernel.CAP_SYS_ADMIN if has_namespaces else 0)
    standing |= _attest(limits)
    if has_namespaces and os.getpid() == FIRST_PROCESS:
        standing[Layer.FIRST_PROCESS] = "the keeper's children cannot outlive it"
    _load_filter(tier, standing, hides_host_name=hides_host_name)


def _part_from_the_worker(tier: int, standing: dict[str, str]) -> None:
    """Have no descriptor, memory, key or rank of the worker's, and no right of root's."""
    if descriptors.open_now() == list(descriptors.own_of(tier)):
        standing[Layer.BARE_DESCRIPTORS] = "the five of a run"
    if not procfs.shares_memory():
        standing[Layer.OWN_MEMORY] = "what a child writes, no other process reads"
    with suppress(OSError):
        kernel.join_new_session_keyring()
        standing[Layer.OWN_KEYRING] = "none of the worker's keys"
    with suppress(OSError):
        procfs.write("/proc/self/oom_score_adj", FIRST_OF_ALL)
        standing[Layer.FIRST_TO_GO] = "when memory runs out"
    if os.geteuid() == 0:
        if tier == LOWEST_TIER:
            kernel.drop_bounding_set()
        _become(FIRST_SPARE_UID + os.getpid() % SPARE_UIDS)


def _load_filter(tier: int, standing: dict[str, str], *, hides_host_name: bool) -> None:
    """The last wall: behind it, none of the calls above can be made."""
    kernel.load_filter(
        keeper_filter_for(
            kernel.machine(),
            clone_flags=clone_flags(tier),
            may_tighten=tier == LOWEST_TIER,
            hides_host_name=hides_host_name,
        )
    )
    if _is_refused(lambda: os.open("/", os.O_RDONLY)) and _is_refused(lambda: os.getpgid(0)):
        standing[Layer.SECCOMP] = "file and process calls are refused"


def _new_namespaces() -> dict[str, str]:
    """Leave every namespace of the worker, and give our one id a meaning in the new one of users."""
    before, uid, gid = _namespaces_now(), os.geteuid(), os.getegid()
    # An undumpable process has no /proc files of its own, and we must write the id maps there.
    kernel.prctl(kernel.PR_SET_DUMPABLE, 1)
    try:
        kernel.unshare(kernel.SHARED_NAMESPACES)
    except OSError as error:
        raise NotJailedError(f"this system gives us no new namespaces ({error.strerror})") from error
    try:
        procfs.write("/proc/self/setgroups", "deny")
        procfs.write("/proc/self/uid_map", f"{INSIDE_ID} {uid} 1")
        procfs.write("/proc/self/gid_map", f"{INSIDE_ID} {gid} 1")
    except OSError as error:
        raise NotJailedError(f"the ids of a user namespace cannot be set here ({error.strerror})") from error
    after = _namespaces_now()
    return {layer: after[name] for name, layer in NAMESPACE_LAYERS.items() if after[name] != before[name]}


def _become_first_process() -> None:
    """Go on as the first process of the new namespace of processes: whatever ends it, the kernel ends all others in it.

    What stays outside is what the worker started and kills: it has no descriptor and only waits.
    """
    pid = kernel.Clone(0)()
    if pid != 0:
        os.closerange(0, descriptors.MAX_DESCRIPTOR)
        os.waitpid(pid, 0)
        os._exit(0)
    kernel.prctl(kernel.PR_SET_PDEATHSIG, signal.SIGKILL)


def _namespaces_now() -> dict[str, str]:
    return {name: procfs.namespace_of("self", name) for name in NAMESPACE_LAYERS}


def _forbid_more_namespaces(standing: dict[str, str], *, is_required: bool) -> None:
    """None of these can be made any more, whatever the rights; every child still gets one of pids and one of ipc."""
    try:
        for kind in ("user", "mnt", "net", "uts", "cgroup"):
            procfs.write(f"/proc/sys/user/max_{kind}_namespaces", "0")
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
    with suppress(OSError):  # a container that refuses this has a domain of its own
        kernel.set_domain_name(HOST_NAME)
    return True


def _become(uid: int) -> None:
    """Take on an id without rights."""
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


def _give_up_rights(standing: dict[str, str], *, capabilities: int) -> None:
    kernel.prctl(kernel.PR_SET_NO_NEW_PRIVS, 1)
    if kernel.landlock_version():
        ruleset = kernel.landlock_ruleset()
        kernel.landlock_restrict(ruleset)
        os.close(ruleset)
        standing[Layer.LANDLOCK] = f"version {kernel.landlock_version()}, no right left"
    with suppress(OSError):
        kernel.prctl(kernel.PR_SET_MDWE, kernel.PR_MDWE_REFUSE_EXEC_GAIN)
        standing[Layer.NO_NEW_CODE] = "memory never becomes executable"
    with suppress(OSError):
        # A huge page stays whole, and counts for nobody, while a part of it is mapped.
        kernel.prctl(kernel.PR_SET_THP_DISABLE, 1)
    kernel.keep_capabilities(capabilities)
    # After every change of identity, because each of them sets it anew.
    kernel.prctl(kernel.PR_SET_DUMPABLE, 0)


def _attest(limits: Mapping[int, int]) -> dict[str, str]:
    """Ask the kernel, not our memory, which walls stand."""
    questions: dict[Layer, tuple[Callable[[], bool], str]] = {
        Layer.UNPRIVILEGED_UID: (_is_unprivileged, f"uid {os.geteuid()}, gid {os.getegid()}"),
        Layer.EMPTY_BOUNDING_SET: (kernel.is_bounding_set_empty, "no capability can come back"),
        Layer.NO_NEW_PRIVILEGES: (lambda: kernel.prctl(kernel.PR_GET_NO_NEW_PRIVS) == 1, "set for good"),
        Layer.NOT_DUMPABLE: (lambda: kernel.prctl(kernel.PR_GET_DUMPABLE) == 0, "neither dumped nor traced"),
        Layer.RESOURCE_LIMITS: (lambda: _are_limits_set(limits), f"{len(limits) + 1} of them"),
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
