"""The descriptors of keeper and child, by number.

Those of a run come with its packet. The kernel gives an arriving descriptor the lowest free number, and between two
runs the keeper has just 0 to 4 free: so they arrive where the child needs them, and nothing has to be moved.
"""

from __future__ import annotations

import fcntl
import os
from collections.abc import Sequence
from typing import Final

STDIN, STDOUT, STDERR, REQUEST, RESULT = OF_A_RUN = [*range(5)]
CONTROL, WALLS_READ, WALLS, RULESET = range(5, 9)
OUT_OF_THE_WAY: Final = 32
MAX_DESCRIPTOR: Final = 0x7FFFFFFF


def own_of(tier: int) -> tuple[int, ...]:
    """The keeper's own, which a child closes; in tier 1 it forbids itself once more what the keeper may."""
    return (CONTROL, WALLS_READ, WALLS) if tier > 1 else (CONTROL, WALLS_READ, WALLS, RULESET)


def lay_out(own: Sequence[int]) -> None:
    """Make `own` the descriptors 5, 6, 7 ... of this process and close everything else."""
    parked = [fcntl.fcntl(descriptor, fcntl.F_DUPFD, OUT_OF_THE_WAY) for descriptor in own]
    for target, descriptor in enumerate(parked, start=CONTROL):
        os.dup2(descriptor, target, inheritable=False)
    os.closerange(0, CONTROL)
    os.closerange(CONTROL + len(own), MAX_DESCRIPTOR)


def open_now() -> list[int]:
    """List the open descriptors; the listing itself holds one more, which is left out."""
    names = sorted(int(name) for name in os.listdir("/proc/self/fd"))  # noqa: PTH208 -- names are all that is wanted
    return [number for number in names if _is_open(number)]


def _is_open(descriptor: int) -> bool:
    try:
        fcntl.fcntl(descriptor, fcntl.F_GETFD)
    except OSError:
        return False
    return True
