"""The worker's side of one keeper process: start it, have it run things, end it."""

from __future__ import annotations

import math
import os
import socket
import struct
import subprocess
import sys
from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path
from typing import Final, Self

from grader.sandbox import child
from grader.sandbox.edition import edition
from grader.sandbox.job import Limits
from grader.sandbox.messages import MAX_PACKET_BYTES, RUN, Ended, Failed, Settle, Settled, decode, encode

# As this process was started: a keeper that boots later finds the files of then.
EDITION: Final = edition()
PROJECT_ROOT: Final = Path(__file__).resolve().parents[2]
# The project's folder comes as the working directory: an argument would stay readable in the child's memory.
BOOT: Final = (
    "import os, sys; sys.path.insert(0, os.getcwd()); os.chdir('/'); "
    "from grader.sandbox.warm import leave_out; leave_out(); from grader.sandbox.keeper import main; main()"
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
# A keeper's own use of the processor, over all its runs, must stay below what it hands down to its children.
SPARE_CPU_SECONDS: Final = 10
CHILDS_OWN: Final = "raised by every child, and told before it reads"
NS_PER_MICROSECOND: Final = 1_000
MFD_NOEXEC_SEAL: Final = 8


class ZygoteLostError(Exception):
    """The keeper ended, or did not answer."""


class ZygoteRefusedError(Exception):
    """The keeper cannot jail a child here, and says why."""


@dataclass(frozen=True, slots=True)
class Files:
    """The memory files of one run, made for it alone; nothing that a child can reach is older than its run."""

    request: int
    output: int
    result: int
    of_child: tuple[int, ...]

    @classmethod
    def fresh(cls) -> Self:
        """Make three files, and for the child others to the same memory.

        So what it does to their state stays with it, and it can neither read its results back nor write over them.
        """
        request, output, result = (_memory_file(name) for name in ("request", "output", "result"))
        empty_input, nobody_writes = os.pipe()
        os.close(nobody_writes)
        printed = _reopened(output, os.O_WRONLY | os.O_APPEND)
        of_child = (
            empty_input,
            printed,
            printed,
            _reopened(request, os.O_RDONLY),
            _reopened(result, os.O_WRONLY | os.O_APPEND),
        )
        return cls(request, output, result, of_child)

    def close(self) -> None:
        """Let go of the memory."""
        for descriptor in {self.request, self.output, self.result, *self.of_child}:
            os.close(descriptor)


class Zygote:
    """A keeper process; starts at once and boots while its owner does something else."""

    def __init__(self, tier: int, limits: Limits) -> None:
        self.tier = tier
        self.runs = 0
        self._settle = _settle(tier, limits)
        self._layers: dict[str, str] | None = None
        self._ready = [Files.fresh()]
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
        self._send(encode(self._settle))

    @property
    def pid(self) -> int:
        """The process that was started: the keeper, or above tier 1 the one that waits for it outside its namespaces."""
        return self._process.pid

    def allows(self, limits: Limits) -> bool:
        """Whether a run under these limits can be had of this keeper: some of them are fixed when it settles."""
        return self._settle == _settle(self.tier, limits)

    def wait_until_settled(self) -> dict[str, str]:
        """Wait for the keeper's walls; return them, and those that every child must have."""
        if self._layers is None:
            settled = decode(self._receive(BOOT_SECONDS))
            if isinstance(settled, Failed):
                raise ZygoteRefusedError(settled.reason)
            if not isinstance(settled, Settled):
                raise ZygoteLostError(f"expected a settled keeper, got {settled}")
            of_child = {str(wall.layer): CHILDS_OWN for wall in child.walls_of(self.tier, b"")}
            self._layers = {**of_child, **settled.layers}
        return self._layers

    def run(self, request: bytes, limits: Limits) -> tuple[Ended, bytes, bytes]:
        """Have a child run a request; return its end, its result and the start of its output."""
        self.wait_until_settled()
        self.runs += 1
        files = self._ready.pop() if self._ready else Files.fresh()
        try:
            _write_all(files.request, request)
            self._send(RUN.pack(_nanoseconds(limits.cpu_time), _nanoseconds(limits.wall_time)), files.of_child)
            # While the child runs, a second core has time for this.
            self._ready.append(Files.fresh())
            ended = self._receive_end(limits)
            result = os.pread(files.result, self._settle.file_bytes, 0)
            # One byte past the cap tells that there was more.
            return ended, result, os.pread(files.output, limits.output_bytes + 1, 0)
        finally:
            files.close()

    def close(self) -> None:
        """End the keeper, and with it every child."""
        self._control.close()
        self._process.kill()
        self._process.wait()
        # Numbers are given anew: to close one twice may close somebody else's.
        while self._ready:
            self._ready.pop().close()

    def _receive_end(self, limits: Limits) -> Ended:
        packet = self._receive(limits.wall_time.total_seconds() + PATIENCE_SECONDS)
        try:
            ended = Ended.from_packet(packet)
        except struct.error:
            raise ZygoteLostError(f"the keeper gave up: {decode(packet)}") from None
        missing = child.missing(self.tier, ended.walls)
        if missing:
            raise ZygoteLostError(f"a child ended before its walls stood: {', '.join(missing)}")
        return ended

    def _send(self, packet: bytes, descriptors: tuple[int, ...] = ()) -> None:
        try:
            socket.send_fds(self._control, [packet], list(descriptors))
        except OSError as error:
            raise ZygoteLostError(str(error)) from error

    def _receive(self, patience_seconds: float) -> bytes:
        self._control.settimeout(patience_seconds)
        try:
            packet = self._control.recv(MAX_PACKET_BYTES)
        except OSError as error:
            raise ZygoteLostError(f"the keeper does not answer: {error}") from error
        if not packet:
            raise ZygoteLostError("the keeper ended")
        return packet


def file_bytes(limits: Limits) -> int:
    """The most bytes that any file of a child may hold."""
    return max(limits.result_bytes, limits.output_bytes) + FILE_SLACK_BYTES


def _settle(tier: int, limits: Limits) -> Settle:
    cpu_seconds = math.ceil(limits.cpu_time.total_seconds()) + SPARE_CPU_SECONDS
    return Settle(EDITION, tier, limits.memory_bytes, file_bytes(limits), cpu_seconds)


def _nanoseconds(duration: timedelta) -> int:
    microseconds: int = duration // timedelta.resolution
    return microseconds * NS_PER_MICROSECOND


def _memory_file(name: str) -> int:
    """Make a file in memory that can never be run; a kernel before 6.3 cannot promise that, and need not."""
    try:
        return os.memfd_create(name, os.MFD_CLOEXEC | MFD_NOEXEC_SEAL)
    except OSError:
        return os.memfd_create(name, os.MFD_CLOEXEC)


def _reopened(descriptor: int, flags: int) -> int:
    return os.open(f"/proc/self/fd/{descriptor}", flags | os.O_CLOEXEC)


def _write_all(descriptor: int, data: bytes) -> None:
    view = memoryview(data)
    while view:
        view = view[os.write(descriptor, view) :]
