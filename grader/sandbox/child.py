"""The child's own part: from its clone until the learner's code begins.

All that can be inherited, the keeper has raised already. What is left is what a clone does not pass on, or what the
keeper itself needs: a few system calls, worked out in advance, so that a child touches little memory that it shares.
"""

from __future__ import annotations

import os
import resource
import signal
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from grader.sandbox import descriptors, kernel
from grader.sandbox.layers import Layer

FAILED: Final = 71
FIRST_PROCESS: Final = 1
REFUSED: Final = -1


@dataclass(frozen=True, slots=True)
class Wall:
    """A wall that a child raises or looks at: the call, and the kernel's answer where it stands (None: not negative)."""

    layer: Layer
    call: kernel.Call
    answer: int | None


def walls_of(tier: int, strict_filter: bytes) -> tuple[Wall, ...]:
    """The walls of a child in order; in tier 1 the keeper's rights are more than a learner may have."""
    has_namespaces = tier > 1
    no_capabilities = kernel.address_of(kernel.CAPABILITY_HEADER), kernel.address_of(bytes(24))
    no_process = kernel.address_of(bytes(16))
    more: tuple[Wall, ...]
    own = (
        Wall(Layer.NO_CAPABILITIES, kernel.call("capset", *no_capabilities), 0),
        Wall(Layer.DIES_WITH_KEEPER, kernel.call("prctl", kernel.PR_SET_PDEATHSIG, signal.SIGKILL), 0),
        Wall(Layer.RESOURCE_LIMITS, kernel.call("setrlimit", resource.RLIMIT_NPROC, no_process), 0),
        Wall(Layer.OWN_SESSION, kernel.call("setsid"), FIRST_PROCESS if has_namespaces else None),
    )
    if has_namespaces:
        more = (Wall(Layer.PID_NAMESPACE, kernel.call("getpid"), FIRST_PROCESS),)
    else:
        filter_call = kernel.call("seccomp", kernel.SECCOMP_SET_MODE_FILTER, 0, kernel.filter_header(strict_filter))
        more = (
            Wall(Layer.LANDLOCK, kernel.call("landlock_restrict_self", descriptors.RULESET, 0), 0),
            Wall(Layer.SECCOMP, filter_call, 0),
        )
    # A call that every filter of ours refuses, and that nothing else would.
    return (*own, *more, Wall(Layer.SECCOMP, kernel.call("getpgid", 0), REFUSED))


def missing(tier: int, standing: int) -> tuple[Layer, ...]:
    """The walls that a child did not find standing, by the bits that it told."""
    walls = walls_of(tier, b"")
    return tuple(wall.layer for place, wall in enumerate(walls) if not standing >> place & 1)


def grow_up(walls: tuple[Wall, ...], keepers: Sequence[int]) -> None:
    """Raise the child's own walls, tell which stand, and let go of the keeper. Any fault ends the process."""
    leave = os._exit
    is_grown_up = False
    try:
        standing = 0
        for place, wall in enumerate(walls):
            said = kernel.ask(wall.call)
            if said == wall.answer or (wall.answer is None and said >= 0):
                standing |= 1 << place
        for descriptor in keepers:
            os.close(descriptor)
        # With our own reading end gone, this fails if the keeper died before it could take us along.
        os.write(descriptors.WALLS, bytes((standing,)))
        os.close(descriptors.WALLS)
        is_grown_up = standing == (1 << len(walls)) - 1
    finally:
        if not is_grown_up:
            leave(FAILED)
