"""The keeper's part in a child's birth: memory files, clone, id maps, and a look at the result from outside."""

from __future__ import annotations

import os
import resource
from contextlib import suppress
from dataclasses import dataclass
from functools import cache
from typing import Final

from grader.sandbox import child, jail, kernel, procfs
from grader.sandbox.layers import Layer, missing_layers
from grader.sandbox.messages import Prepare

# As root we may choose the learner's uid: one that Debian reserves and nobody uses, and not the one of the neighbour.
FIRST_SPARE_UID: Final = 65_000
SPARE_UIDS: Final = 500
MAX_REPORT_BYTES: Final = 16 * 1024
FIRST_OF_ALL: Final = "1000"
SPARE_CPU_SECONDS: Final = 2


class NotJailedError(Exception):
    """A child could not be jailed; the text says which wall does not stand."""


@dataclass(frozen=True, slots=True)
class Child:
    """A jailed child that waits, as the keeper sees it."""

    pid: int
    pidfd: int
    orders: int
    report: int
    memory_files: tuple[int, int, int]
    layers: dict[str, str]
    resident_bytes: int


def bear(wanted: Prepare) -> Child | None:
    """Make one jailed child. Returns twice: with the child in the keeper, and with None in the child itself."""
    request, output, result = (os.memfd_create(name, os.MFD_CLOEXEC) for name in ("request", "output", "result"))
    empty_stdin, nobody_writes = os.pipe()
    os.close(nobody_writes)
    report, report_inside = os.pipe()
    orders_inside, orders = os.pipe()
    # The child gets files of its own to the same memory: what it does to their state stays with it, and it can
    # neither read its results back nor write over what is written.
    append = os.O_WRONLY | os.O_APPEND
    output_inside, result_inside = _reopen(output, append), _reopen(result, append)
    request_inside = _reopen(request, os.O_RDONLY)
    inside = (empty_stdin, output_inside, output_inside, request_inside, result_inside, report_inside, orders_inside)
    uid = FIRST_SPARE_UID + os.getpid() % SPARE_UIDS if os.geteuid() == 0 else os.geteuid()
    birth = child.Birth(wanted.tier, _bounds(wanted), uid, _namespaces_outside(), inside)
    pid = _clone(wanted.tier)
    if pid == 0:
        child.grow_up(birth)
        return None
    for descriptor in set(inside):
        os.close(descriptor)
    layers = _raise(pid, wanted.tier, uid, report, orders)
    _, resident_bytes = procfs.mapped_and_resident_bytes(str(pid))
    return Child(pid, os.pidfd_open(pid), orders, report, (request, output, result), layers, resident_bytes)


@cache
def _namespaces_outside() -> dict[str, str]:
    return jail.namespaces_now()


def _bounds(wanted: Prepare) -> dict[int, int]:
    """The keeper's clock is the exact limit of time; the kernel's own stands behind it, in case the keeper is stopped.

    Set by the child on itself: to set them on another, even root may lack the right.
    """
    return {
        resource.RLIMIT_AS: wanted.memory_bytes,
        resource.RLIMIT_FSIZE: wanted.file_bytes,
        resource.RLIMIT_CPU: wanted.cpu_seconds + SPARE_CPU_SECONDS,
    }


def _clone(tier: int) -> int:
    try:
        return kernel.clone(kernel.ALL_NAMESPACES if tier > 1 else 0)
    except OSError as error:
        raise NotJailedError(f"this system gives us no new namespaces ({error.strerror})") from error


def _reopen(descriptor: int, flags: int) -> int:
    return os.open(f"/proc/self/fd/{descriptor}", flags | os.O_CLOEXEC)


def _raise(pid: int, tier: int, uid: int, report: int, orders: int) -> dict[str, str]:
    """Help a newborn child into its jail, and return the walls that stand."""
    extra: dict[str, str] = {}
    if os.read(report, 1) == child.BORN:
        if tier > 1:
            _map_ids(pid, uid)
        with suppress(OSError):
            procfs.write(f"/proc/{pid}/oom_score_adj", FIRST_OF_ALL)
            extra[Layer.FIRST_TO_GO] = "when memory runs out"
        os.write(orders, child.MAPPED)
    layers = _read_report(report) | extra
    missing = missing_layers(tier, layers)
    if missing:
        raise NotJailedError(f"these walls do not stand: {', '.join(missing)}")
    _look_from_outside(pid, tier)
    return layers


def _map_ids(pid: int, uid: int) -> None:
    """Give the child's one id a meaning outside. Only root may leave it the right to give up its groups."""
    gid = uid if os.geteuid() == 0 else os.getegid()
    try:
        if os.geteuid() != 0:
            procfs.write(f"/proc/{pid}/setgroups", "deny")
        procfs.write(f"/proc/{pid}/uid_map", f"{jail.INSIDE_ID} {uid} 1")
        procfs.write(f"/proc/{pid}/gid_map", f"{jail.INSIDE_ID} {gid} 1")
    except OSError as error:
        raise NotJailedError(f"the ids of a user namespace cannot be set here ({error.strerror})") from error


def _read_report(report: int) -> dict[str, str]:
    raw = b""
    while not raw.endswith(child.END_OF_REPORT) and (part := os.read(report, MAX_REPORT_BYTES)):
        raw += part
    if not raw:
        raise NotJailedError("the child ended before it was jailed")
    answer = child.read_report(raw)
    if child.FAILED in answer:
        raise NotJailedError(f"a wall cannot be raised here ({answer[child.FAILED]})")
    return answer


def _look_from_outside(pid: int, tier: int) -> None:
    """Check what the child says of itself against what the kernel says of it."""
    status = procfs.status_of(pid)
    sets = ("CapInh", "CapPrm", "CapEff", "CapAmb", *(("CapBnd",) if tier > 1 else ()))
    holds = {
        Layer.SECCOMP: status["Seccomp"] == "2",
        Layer.NO_NEW_PRIVILEGES: status["NoNewPrivs"] == "1",
        Layer.NO_CAPABILITIES: all(int(status[name], 16) == 0 for name in sets),
        Layer.UNPRIVILEGED_UID: "0" not in status["Uid"].split(),
        Layer.PID_NAMESPACE: tier == 1 or status["NSpid"].split()[-1] == "1",
    }
    missing = [layer for layer, does_hold in holds.items() if not does_hold]
    if missing:
        raise NotJailedError(f"seen from outside, these walls do not stand: {', '.join(missing)}")
