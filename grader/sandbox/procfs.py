"""The few files of /proc that the jail is built and looked at with."""

from __future__ import annotations

import os
import resource
from typing import Final

MOST_BYTES: Final = 16 * 1024


def read(path: str) -> str:
    """Read a small file whole."""
    descriptor = os.open(path, os.O_RDONLY | os.O_CLOEXEC)
    try:
        return os.read(descriptor, MOST_BYTES).decode("ascii", "replace")
    finally:
        os.close(descriptor)


def write(path: str, text: str) -> None:
    """Write a small file in one go, as /proc wants it."""
    descriptor = os.open(path, os.O_WRONLY | os.O_CLOEXEC)
    try:
        os.write(descriptor, text.encode())
    finally:
        os.close(descriptor)


def namespace_of(process: str, name: str) -> str:
    """Name a namespace of a process, such as "net:[4026531840]"."""
    return os.readlink(f"/proc/{process}/ns/{name}")  # noqa: PTH115 -- see above


def mapped_bytes() -> int:
    """Return how much address space this process has."""
    return int(read("/proc/self/statm").split()[0]) * resource.getpagesize()


def shares_memory() -> bool:
    """Whether a page of this process may be written by it and read by another: what a clone would share, too."""
    with open("/proc/self/smaps", encoding="ascii", errors="replace") as maps:  # noqa: PTH123 -- see above
        return any(line.startswith("VmFlags:") and "sh" in line.split() for line in maps)
