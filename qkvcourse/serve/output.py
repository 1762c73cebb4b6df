"""What the services print, line by line, read by one thread from all of them."""

from __future__ import annotations

import os
import selectors
import subprocess
import sys
from dataclasses import dataclass, field

NAME_WIDTH = 8
READ_BYTES = 65536


@dataclass(frozen=True, slots=True)
class Line:
    """One line, and the service that printed it."""

    name: str
    text: str


@dataclass(slots=True)
class Outputs:
    """The open outputs of the running services, and a wake-up call that cuts the waiting for them short."""

    _selector: selectors.BaseSelector = field(default_factory=selectors.DefaultSelector)
    _unfinished: dict[int, bytes] = field(default_factory=dict)

    def wake_up_on(self, descriptor: int) -> None:
        """Return from `lines` early whenever this descriptor can be read."""
        self._selector.register(descriptor, selectors.EVENT_READ, "")

    def add(self, name: str, process: subprocess.Popen[bytes]) -> None:
        """Follow a process's output."""
        if process.stdout:
            os.set_blocking(process.stdout.fileno(), False)
            self._selector.register(process.stdout, selectors.EVENT_READ, name)

    def remove(self, process: subprocess.Popen[bytes]) -> None:
        """Close a process's output, whether it came to its end or not."""
        if process.stdout and not process.stdout.closed:
            if self.is_open(process):
                self._selector.unregister(process.stdout)
            self._unfinished.pop(process.stdout.fileno(), None)
            process.stdout.close()

    def is_open(self, process: subprocess.Popen[bytes]) -> bool:
        """Whether more may come."""
        return bool(process.stdout) and process.stdout in {key.fileobj for key in self._selector.get_map().values()}

    def lines(self, wait_seconds: float) -> list[Line]:
        """The lines that have arrived, after waiting a while for the first."""
        found = []
        for key, _events in self._selector.select(wait_seconds):
            arrived = os.read(key.fd, READ_BYTES)
            if not key.data:
                continue
            if not arrived:
                self._selector.unregister(key.fileobj)
            found += [Line(str(key.data), text) for text in self._split(key.fd, arrived)]
        return found

    def _split(self, descriptor: int, arrived: bytes) -> list[str]:
        pieces = (self._unfinished.pop(descriptor, b"") + arrived).split(b"\n")
        if arrived:
            self._unfinished[descriptor] = pieces.pop()
        return [piece.decode("utf-8", "replace") for piece in pieces if piece.strip()]


def say(name: str, text: str) -> None:
    """Print one line in the name of a service."""
    sys.stdout.write(f"{name:<{NAME_WIDTH}}| {text}\n")
    sys.stdout.flush()
