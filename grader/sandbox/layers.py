"""The walls of the jail by name, and which of them each tier must have."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

HIGHEST_TIER: Final = 3
LOWEST_TIER: Final = 1


class Layer(StrEnum):
    """One wall. A child reports those that it asked the kernel about and found standing."""

    UNPRIVILEGED_UID = "unprivileged_uid"
    NO_CAPABILITIES = "no_capabilities"
    NO_NEW_PRIVILEGES = "no_new_privileges"
    SECCOMP = "seccomp"
    LANDLOCK = "landlock"
    RESOURCE_LIMITS = "resource_limits"
    OWN_SESSION = "own_session"
    BARE_DESCRIPTORS = "bare_descriptors"
    OWN_MEMORY = "own_memory"
    DIES_WITH_KEEPER = "dies_with_keeper"
    NOT_DUMPABLE = "not_dumpable"
    USER_NAMESPACE = "user_namespace"
    PID_NAMESPACE = "pid_namespace"
    MOUNT_NAMESPACE = "mount_namespace"
    NETWORK_NAMESPACE = "network_namespace"
    IPC_NAMESPACE = "ipc_namespace"
    UTS_NAMESPACE = "uts_namespace"
    CGROUP_NAMESPACE = "cgroup_namespace"
    FIRST_PROCESS = "first_process"
    EMPTY_BOUNDING_SET = "empty_bounding_set"
    EMPTY_ROOT = "empty_root"
    NO_MORE_NAMESPACES = "no_more_namespaces"
    NO_NEW_CODE = "no_new_code"
    OWN_KEYRING = "own_keyring"
    FIRST_TO_GO = "first_to_go"


EVERYWHERE: Final = frozenset(
    {
        Layer.UNPRIVILEGED_UID,
        Layer.NO_CAPABILITIES,
        Layer.NO_NEW_PRIVILEGES,
        Layer.SECCOMP,
        Layer.RESOURCE_LIMITS,
        Layer.OWN_SESSION,
        Layer.BARE_DESCRIPTORS,
        Layer.OWN_MEMORY,
        Layer.DIES_WITH_KEEPER,
        Layer.NOT_DUMPABLE,
    }
)
NAMESPACES: Final = frozenset(
    {
        Layer.USER_NAMESPACE,
        Layer.PID_NAMESPACE,
        Layer.MOUNT_NAMESPACE,
        Layer.NETWORK_NAMESPACE,
        Layer.IPC_NAMESPACE,
        Layer.UTS_NAMESPACE,
        Layer.CGROUP_NAMESPACE,
        Layer.FIRST_PROCESS,
        Layer.EMPTY_BOUNDING_SET,
    }
)
# The full tier can do without Landlock, which old kernels and gVisor lack: what it forbids is then forbidden by the
# empty root and by the namespaces, and in every tier by seccomp as well.
REQUIRED: Final = {
    1: EVERYWHERE | {Layer.LANDLOCK},
    2: EVERYWHERE | {Layer.LANDLOCK} | NAMESPACES,
    3: EVERYWHERE | NAMESPACES | {Layer.EMPTY_ROOT, Layer.NO_MORE_NAMESPACES},
}

NAMESPACE_ADVICE: Final = (
    "let this user make user namespaces (sysctl kernel.apparmor_restrict_unprivileged_userns=0, "
    "user.max_user_namespaces above 0), start the worker as root, or accept SANDBOX_MIN_TIER=1 on a machine of your own"
)
MOUNT_ADVICE: Final = "run the worker outside a container, or accept SANDBOX_MIN_TIER=2"
KERNEL_ADVICE: Final = "use a newer kernel (Landlock 5.13, memory that refuses new code 6.3)"
ADVICE: Final[dict[Layer, str]] = {
    **dict.fromkeys(NAMESPACES, NAMESPACE_ADVICE),
    Layer.EMPTY_ROOT: MOUNT_ADVICE,
    Layer.NO_MORE_NAMESPACES: MOUNT_ADVICE,
    Layer.LANDLOCK: KERNEL_ADVICE,
    Layer.NO_NEW_CODE: KERNEL_ADVICE,
    Layer.OWN_MEMORY: "use a Python whose ctypes needs no shared memory (libffi 3.4 or newer)",
    Layer.OWN_KEYRING: "nothing needs doing: the key calls are refused as well",
}


@dataclass(frozen=True, slots=True)
class LayerState:
    """Whether one wall stands on this machine, and what would raise it."""

    name: str
    holds: bool
    detail: str
    advice: str


# What a clone does not inherit: every child raises these for itself, and tells of them before it reads a request.
OF_EVERY_CHILD: Final = frozenset(
    {Layer.NO_CAPABILITIES, Layer.DIES_WITH_KEEPER, Layer.OWN_SESSION, Layer.PID_NAMESPACE}
)


def missing_in_keeper(tier: int, standing: Collection[str]) -> tuple[Layer, ...]:
    """List the walls that must stand around the keeper of a tier, and do not."""
    wanted = REQUIRED[tier] - OF_EVERY_CHILD
    return tuple(layer for layer in Layer if layer in wanted and layer not in standing)
