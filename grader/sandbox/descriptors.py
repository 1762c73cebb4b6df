"""The descriptors that a child has, and no others."""

from __future__ import annotations

import fcntl
import os
from collections.abc import Sequence
from typing import Final

STDIN, STDOUT, STDERR, REQUEST, RESULT, REPORT, ORDERS = range(7)
COUNT: Final = 7
OUT_OF_THE_WAY: Final = 32
MAX_DESCRIPTOR: Final = 0x7FFFFFFF


def lay_out(wanted: Sequence[int]) -> None:
    """Make `wanted` the descriptors 0, 1, 2 ... of this process and close everything else."""
    parked = [fcntl.fcntl(descriptor, fcntl.F_DUPFD, OUT_OF_THE_WAY) for descriptor in wanted]
    for target, descriptor in enumerate(parked):
        os.dup2(descriptor, target, inheritable=False)
    os.closerange(len(wanted), MAX_DESCRIPTOR)


def are_only(count: int) -> bool:
    """Whether exactly the descriptors below `count` are open; the listing itself holds one more."""
    names = sorted(int(name) for name in os.listdir("/proc/self/fd"))  # noqa: PTH208 -- names are all that is wanted
    return names[:count] == list(range(count)) and len(names) == count + 1
