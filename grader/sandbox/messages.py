"""What the worker and the keeper say to each other over their socket.

The keeper never holds a byte that a learner wrote, so plain JSON is good enough here; one message is one packet.
"""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass
from typing import Final

MAX_PACKET_BYTES: Final = 64 * 1024


@dataclass(frozen=True, slots=True)
class Prepare:
    """Make a child, jail it under these bounds, and let it wait for its request; any earlier child ends."""

    tier: int
    memory_bytes: int
    file_bytes: int
    cpu_seconds: int


@dataclass(frozen=True, slots=True)
class Ready:
    """A child waits in its jail; its three memory files come along with this packet."""

    pid: int
    layers: dict[str, str]


@dataclass(frozen=True, slots=True)
class Go:
    """The request is written: let the child run under these limits."""

    cpu_ns: int
    wall_ns: int


@dataclass(frozen=True, slots=True)
class Ended:
    """The child is gone; everything here was measured by the keeper."""

    wait_status: int
    cpu_ns: int
    wall_ns: int
    memory_bytes: int
    killed_for: str


@dataclass(frozen=True, slots=True)
class Failed:
    """The keeper cannot go on, and says why in one sentence."""

    reason: str


Message = Prepare | Ready | Go | Ended | Failed
KINDS: Final[dict[str, type[Message]]] = {kind.__name__: kind for kind in (Prepare, Ready, Go, Ended, Failed)}


def encode(message: Message) -> bytes:
    """Write a message as one packet."""
    return json.dumps({"kind": type(message).__name__, **asdict(message)}).encode()


def decode(packet: bytes) -> Message:
    """Read one packet."""
    fields = json.loads(packet)
    return KINDS[fields.pop("kind")](**fields)
