"""What the worker and the keeper say to each other over their socket; one message is one packet.

Once, at the start: Settle one way, Settled or Failed back. Then for every run: RUN one way, with the child's five
descriptors, and ENDED back. The keeper never holds a byte that a learner wrote.
"""

from __future__ import annotations

import json
import struct
from dataclasses import asdict, dataclass
from typing import Final

MAX_PACKET_BYTES: Final = 64 * 1024


@dataclass(frozen=True, slots=True)
class Settle:
    """Raise the walls of a tier; no child may use more memory or CPU time than this, or write more to a file.

    `edition` is that of the worker's files, which must be the keeper's as well.
    """

    edition: str
    tier: int
    memory_bytes: int
    file_bytes: int
    cpu_seconds: int


@dataclass(frozen=True, slots=True)
class Settled:
    """The walls that stand around the keeper, with what the kernel said of each."""

    layers: dict[str, str]


@dataclass(frozen=True, slots=True)
class Failed:
    """The keeper cannot work here, and says why in one sentence."""

    reason: str


Message = Settle | Settled | Failed
KINDS: Final[dict[str, type[Message]]] = {kind.__name__: kind for kind in (Settle, Settled, Failed)}


def encode(message: Message) -> bytes:
    """Write a message as one packet."""
    return json.dumps({"kind": type(message).__name__, **asdict(message)}).encode()


def decode(packet: bytes) -> Message:
    """Read one packet."""
    fields = json.loads(packet)
    return KINDS[fields.pop("kind")](**fields)


RUN: Final = struct.Struct("<QQ")  # limits of CPU and wall time, in nanoseconds
ENDED: Final = struct.Struct("<iBBHQQQ")  # wait status, killer, walls of the child, zero, CPU and wall ns, bytes
NOBODY, CPU_CLOCK, WALL_CLOCK = range(3)
LIMIT_OF_KILLER: Final = ("", "cpu_time", "wall_time")


@dataclass(frozen=True, slots=True)
class Ended:
    """The child is gone; everything here was measured by the keeper.

    `walls` are the bits of those that the child found standing before a learner's byte existed in it (see `child`).
    """

    wait_status: int
    killed_for: str
    walls: int
    cpu_ns: int
    wall_ns: int
    memory_bytes: int

    @classmethod
    def from_packet(cls, packet: bytes) -> Ended:
        """Read the keeper's account. Raises struct.error where it is none."""
        wait_status, killer, walls, _, cpu_ns, wall_ns, memory_bytes = ENDED.unpack(packet)
        return cls(wait_status, LIMIT_OF_KILLER[killer], walls, cpu_ns, wall_ns, memory_bytes)
