"""The worker's side of one keeper process: start it, have children made, let them run, end it."""

from __future__ import annotations

import math
import os
import socket
import subprocess
import sys
from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path
from typing import Final

from grader.sandbox.job import Limits
from grader.sandbox.messages import MAX_PACKET_BYTES, Ended, Failed, Go, Message, Prepare, Ready, decode, encode

PROJECT_ROOT: Final = Path(__file__).resolve().parents[2]
# The project's folder comes as the working directory: an argument would stay readable in the child's memory.
BOOT: Final = (
    "import os, sys; sys.path.insert(0, os.getcwd()); os.chdir('/'); from grader.sandbox.keeper import main; main()"
)
# One thread: a numeric library that cannot start its threads in a jail blames the learner.
ENVIRONMENT: Final = {
    "LANG": "C.UTF-8",
    **dict.fromkeys(("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS", "BLIS_NUM_THREADS"), "1"),
}
BOOT_SECONDS: Final = 60.0
# How much longer than the wall limit a keeper may take to say that a run is over.
PATIENCE_SECONDS: Final = 15.0
# Records around the numbers, and an output somewhat past its cap, must fit into what a file may hold.
FILE_SLACK_BYTES: Final = 64 * 1024
NS_PER_MICROSECOND: Final = 1_000


class ZygoteLostError(Exception):
    """The keeper ended, or did not answer."""


class ZygoteRefusedError(Exception):
    """The keeper cannot jail a child here, and says why."""


@dataclass(frozen=True, slots=True)
class Prepared:
    """A jailed child that waits, as the worker sees it: its report and its three memory files."""

    pid: int
    layers: dict[str, str]
    request: int
    output: int
    result: int

    def close(self) -> None:
        """Let go of the memory."""
        for descriptor in (self.request, self.output, self.result):
            os.close(descriptor)


class Zygote:
    """A keeper process; starts at once and boots while its owner does something else."""

    def __init__(self, tier: int) -> None:
        self.tier = tier
        self.runs = 0
        self._prepared: Prepared | None = None
        self._control, inside = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        with inside:
            self._process = subprocess.Popen(
                [sys.executable, "-I", "-X", "utf8", "-c", BOOT],
                stdin=inside.fileno(),
                stdout=subprocess.DEVNULL,
                env=ENVIRONMENT,
                cwd=PROJECT_ROOT,
                start_new_session=True,
            )
        self._ordered: Prepare | None = None
        self.order(Limits())

    @property
    def pid(self) -> int:
        """The keeper's process id."""
        return self._process.pid

    def order(self, limits: Limits) -> None:
        """Ask for the next child; it is made while its owner does something else."""
        wanted = _prepare(self.tier, limits)
        if wanted == self._ordered:
            return
        if self._ordered is not None:
            self.wait_until_ready().close()
        self._prepared, self._ordered = None, wanted
        self._send(wanted)

    def wait_until_ready(self) -> Prepared:
        """Wait for the child that was ordered."""
        if self._prepared is None:
            ready, descriptors = self._receive(BOOT_SECONDS)
            if not isinstance(ready, Ready) or len(descriptors) != len(("request", "output", "result")):
                raise ZygoteLostError(f"expected a child, got {ready}")
            self._prepared = Prepared(ready.pid, ready.layers, *descriptors)
        return self._prepared

    def run(self, request: bytes, limits: Limits) -> tuple[Ended, bytes, bytes]:
        """Let the waiting child run a request; return its end, its result and the start of its output."""
        self.order(limits)
        prepared = self.wait_until_ready()
        self._prepared, self._ordered = None, None
        self.runs += 1
        try:
            _write_all(prepared.request, request)
            self._send(_go(limits))
            ended, _ = self._receive(limits.wall_time.total_seconds() + PATIENCE_SECONDS)
            if not isinstance(ended, Ended):
                raise ZygoteLostError(f"expected an end, got {ended}")
            result = os.pread(prepared.result, file_bytes(limits), 0)
            # One byte past the cap tells that there was more.
            return ended, result, os.pread(prepared.output, limits.output_bytes + 1, 0)
        finally:
            prepared.close()

    def close(self) -> None:
        """End the keeper, and with it every child."""
        self._control.close()
        if self._prepared is not None:
            self._prepared.close()
            self._prepared = None
        self._process.kill()
        self._process.wait()

    def _send(self, message: Message) -> None:
        try:
            self._control.send(encode(message))
        except OSError as error:
            raise ZygoteLostError(str(error)) from error

    def _receive(self, patience_seconds: float) -> tuple[Message, list[int]]:
        self._control.settimeout(patience_seconds)
        try:
            packet, descriptors, _, _ = socket.recv_fds(self._control, MAX_PACKET_BYTES, 3, socket.MSG_CMSG_CLOEXEC)
        except OSError as error:
            raise ZygoteLostError(f"the keeper does not answer: {error}") from error
        if not packet:
            raise ZygoteLostError("the keeper ended")
        message = decode(packet)
        if isinstance(message, Failed):
            raise ZygoteRefusedError(message.reason)
        return message, descriptors


def file_bytes(limits: Limits) -> int:
    """The most bytes that any file of a child may hold."""
    return max(limits.result_bytes, limits.output_bytes) + FILE_SLACK_BYTES


def _prepare(tier: int, limits: Limits) -> Prepare:
    return Prepare(tier, limits.memory_bytes, file_bytes(limits), math.ceil(limits.cpu_time.total_seconds()))


def _go(limits: Limits) -> Go:
    return Go(cpu_ns=_nanoseconds(limits.cpu_time), wall_ns=_nanoseconds(limits.wall_time))


def _nanoseconds(duration: timedelta) -> int:
    microseconds: int = duration // timedelta.resolution
    return microseconds * NS_PER_MICROSECOND


def _write_all(descriptor: int, data: bytes) -> None:
    view = memoryview(data)
    while view:
        view = view[os.write(descriptor, view) :]
