"""The child's own part, from its birth until the learner's code begins."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from grader.sandbox import descriptors, jail, kernel

BORN: Final = b"b"
MAPPED: Final = b"m"
GO: Final = b"g"
RUNNING: Final = b"r"
END_OF_REPORT: Final = b"\n\n"
BETWEEN: Final = ": "
FAILED: Final = "failed"
SETUP_FAILED: Final = 71


@dataclass(frozen=True, slots=True)
class Birth:
    """What a child is told by the memory that it shares with the keeper for a moment."""

    tier: int
    bounds: Mapping[int, int]
    outside_uid: int
    namespaces_outside: Mapping[str, str]
    descriptors: tuple[int, ...]


def grow_up(birth: Birth) -> None:
    """Get jailed, report what stands, and wait for the order to go. Whatever goes wrong ends the process."""
    is_grown_up = False
    try:
        descriptors.lay_out(birth.descriptors)
        _report(_jailed(birth))
        _wait_for(GO)
        # Said before a learner's byte exists in here: from now on, whatever happens is the learner's doing.
        os.write(descriptors.REPORT, RUNNING)
        os.close(descriptors.REPORT)
        os.close(descriptors.ORDERS)
        is_grown_up = True
    except OSError as error:
        _report({FAILED: str(error)})
    finally:
        # Not even a report that cannot be written leads back into the keeper's code.
        if not is_grown_up:
            os._exit(SETUP_FAILED)


def _jailed(birth: Birth) -> dict[str, str]:
    # An undumpable process has no /proc files of its own, and the keeper must write the id maps there.
    kernel.prctl(kernel.PR_SET_DUMPABLE, 1)
    os.write(descriptors.REPORT, BORN)
    _wait_for(MAPPED)
    return jail.enter(
        birth.tier, birth.bounds, outside_uid=birth.outside_uid, namespaces_outside=birth.namespaces_outside
    )


def _wait_for(order: bytes) -> None:
    if os.read(descriptors.ORDERS, 1) != order:
        os._exit(SETUP_FAILED)


def _report(report: Mapping[str, str]) -> None:
    lines = [f"{layer}{BETWEEN}{detail}" for layer, detail in report.items()]
    os.write(descriptors.REPORT, "\n".join(lines).encode() + END_OF_REPORT)


def read_report(raw: bytes) -> dict[str, str]:
    """Read what a child wrote of itself, before a learner's byte existed in it."""
    lines = raw.removesuffix(END_OF_REPORT).decode("utf-8", "replace").splitlines()
    return {layer: detail for layer, _, detail in (line.partition(BETWEEN) for line in lines)}
