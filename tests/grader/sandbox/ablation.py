"""Jails with one wall left out, for the test that no attack is stopped by a single one.

The product has no switch for this. A keeper of ours boots by another line, which changes the modules of the sandbox in
that one process before it goes to jail; `remove` is what that line calls. The worker's side must know as well that a
child will not tell of the wall: `removed_here` changes that, and puts it back.
"""

from __future__ import annotations

import resource
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from types import ModuleType
from typing import Any

from grader.sandbox import child, jail, kernel, sandbox, zygote
from grader.sandbox.layers import Layer, missing_in_keeper

Change = tuple[ModuleType, str, Any]


@dataclass(frozen=True, slots=True)
class Ablation:
    """Which walls are left out, and what is changed in the keeper so that they are."""

    walls: frozenset[Layer]
    changes: tuple[Change, ...] = field(default=())


def _does_nothing(*_: object, **__: object) -> int:
    return 0


def _refuses(*_: object, **__: object) -> int:
    raise OSError("left out")


def _without_option(option: int, value: int, outcome: Callable[..., int]) -> Change:
    real = kernel.prctl
    return kernel, "prctl", lambda *words: (outcome if words[:2] == (option, value) else real)(*words)


def _only_memory(limits: Mapping[int, int]) -> None:
    resource.setrlimit(resource.RLIMIT_AS, (limits[resource.RLIMIT_AS],) * 2)


def _namespaces(layer: Layer, flag: int) -> Ablation:
    shared, fresh = kernel.SHARED_NAMESPACES & ~flag, kernel.FRESH_NAMESPACES & ~flag
    return Ablation(frozenset({layer}), ((kernel, "SHARED_NAMESPACES", shared), (kernel, "FRESH_NAMESPACES", fresh)))


_NO_ROOT: Change = (jail, "_empty_the_root", _does_nothing)
_NO_MOUNTS = _namespaces(Layer.MOUNT_NAMESPACE, kernel.CLONE_NEWNS)
# Without all namespaces at once there is tier 1, in which every attack is tried anyway.
ABLATIONS = {
    "seccomp": Ablation(frozenset({Layer.SECCOMP}), ((kernel, "load_filter", _does_nothing),)),
    "landlock": Ablation(frozenset({Layer.LANDLOCK}), ((kernel, "landlock_version", _does_nothing),)),
    "no_new_code": Ablation(
        frozenset({Layer.NO_NEW_CODE}),
        (_without_option(kernel.PR_SET_MDWE, kernel.PR_MDWE_REFUSE_EXEC_GAIN, _refuses),),
    ),
    "empty_root": Ablation(frozenset({Layer.EMPTY_ROOT}), (_NO_ROOT,)),
    "mount_namespace": Ablation(_NO_MOUNTS.walls | {Layer.EMPTY_ROOT}, (*_NO_MOUNTS.changes, _NO_ROOT)),
    # Each child's own, and the keeper's: without the one, a child sees its keeper and nothing else.
    "pid_namespace": Ablation(
        frozenset({Layer.PID_NAMESPACE}),
        ((kernel, "FRESH_NAMESPACES", kernel.FRESH_NAMESPACES & ~kernel.CLONE_NEWPID),),
    ),
    "first_process": Ablation(
        frozenset({Layer.FIRST_PROCESS}),
        ((kernel, "SHARED_NAMESPACES", kernel.SHARED_NAMESPACES & ~kernel.CLONE_NEWPID),),
    ),
    "ipc_namespace": _namespaces(Layer.IPC_NAMESPACE, kernel.CLONE_NEWIPC),
    "network_namespace": _namespaces(Layer.NETWORK_NAMESPACE, kernel.CLONE_NEWNET),
    "uts_namespace": _namespaces(Layer.UTS_NAMESPACE, kernel.CLONE_NEWUTS),
    "no_more_namespaces": Ablation(
        frozenset({Layer.NO_MORE_NAMESPACES}), ((jail, "_forbid_more_namespaces", _does_nothing),)
    ),
    # The limit of memory stays: without it the test would take the machine down that it runs on.
    "resource_limits": Ablation(frozenset({Layer.RESOURCE_LIMITS}), ((jail, "_limit_resources", _only_memory),)),
    "no_capabilities": Ablation(frozenset({Layer.NO_CAPABILITIES})),
    "empty_bounding_set": Ablation(
        frozenset({Layer.EMPTY_BOUNDING_SET}), ((kernel, "drop_bounding_set", _does_nothing),)
    ),
    "no_new_privileges": Ablation(
        frozenset({Layer.NO_NEW_PRIVILEGES}), (_without_option(kernel.PR_SET_NO_NEW_PRIVS, 1, _does_nothing),)
    ),
    "not_dumpable": Ablation(
        frozenset({Layer.NOT_DUMPABLE}), (_without_option(kernel.PR_SET_DUMPABLE, 0, _does_nothing),)
    ),
    # Inside, the id looks the same: this one leaves root outside to be root.
    "unprivileged_uid": Ablation(frozenset(), ((jail, "_become", _does_nothing),)),
    "own_session": Ablation(frozenset({Layer.OWN_SESSION})),
    "dies_with_keeper": Ablation(frozenset({Layer.DIES_WITH_KEEPER})),
    "own_keyring": Ablation(frozenset({Layer.OWN_KEYRING}), ((kernel, "join_new_session_keyring", _refuses),)),
}


def remove(name: str) -> None:
    """Leave a wall out of this process: called in a keeper, before it is one."""
    ablation = ABLATIONS[name]
    for module, attribute, value in (*ablation.changes, *_untold(ablation)):
        vars(module)[attribute] = value


@contextmanager
def removed_here(name: str) -> Iterator[None]:
    """Let keepers that are started meanwhile boot without a wall, and this process not ask for it."""
    boot = f"from tests.grader.sandbox.ablation import remove; remove({name!r}); from grader.sandbox.keeper import main"
    changes: tuple[Change, ...] = (
        *_untold(ABLATIONS[name]),
        (zygote, "BOOT", zygote.BOOT.replace("from grader.sandbox.keeper import main", boot)),
        # Its probes would tell that a wall is missing, as they should.
        (sandbox, "_prove", _does_nothing),
    )
    before = [vars(module)[attribute] for module, attribute, _ in changes]
    try:
        for module, attribute, value in changes:
            vars(module)[attribute] = value
        yield
    finally:
        for (module, attribute, _), value in zip(changes, before, strict=True):
            vars(module)[attribute] = value


def _untold(ablation: Ablation) -> tuple[Change, ...]:
    """Nobody asks for these walls, and for every other as ever."""
    walls_of = child.walls_of

    def walls_left(tier: int, strict_filter: bytes) -> tuple[child.Wall, ...]:
        left = [wall for wall in walls_of(tier, strict_filter) if wall.layer not in ablation.walls]
        # A child that is not the first of its namespace leads a session of another number.
        has_number = Layer.PID_NAMESPACE not in ablation.walls
        return tuple(
            wall if has_number or wall.layer != Layer.OWN_SESSION else replace(wall, answer=None) for wall in left
        )

    def missing_left(tier: int, standing: Mapping[str, str]) -> tuple[Layer, ...]:
        return tuple(layer for layer in missing_in_keeper(tier, standing) if layer not in ablation.walls)

    return (child, "walls_of", walls_left), (jail, "missing_in_keeper", missing_left)
