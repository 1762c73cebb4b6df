"""What the sandbox is asked to do: a job, its cases, and the limits it runs under."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from datetime import timedelta
from typing import Final

ITEM_BYTES: Final = {"float64": 8, "float32": 4, "int64": 8, "bool": 1}
MAX_DIMENSIONS: Final = 4
MAX_CODE_BYTES: Final = 64 * 1024


@dataclass(frozen=True, slots=True)
class Frame:
    """An array as plain bytes in C order, little-endian; the only form in which numbers cross the jail's wall."""

    dtype: str
    shape: tuple[int, ...]
    data: bytes

    def __post_init__(self) -> None:
        if self.dtype not in ITEM_BYTES:
            raise ValueError(f"a frame holds {', '.join(ITEM_BYTES)}, not {self.dtype}")
        if len(self.shape) > MAX_DIMENSIONS or any(size < 0 for size in self.shape):
            raise ValueError(f"a frame has up to {MAX_DIMENSIONS} dimensions, not the shape {self.shape}")
        if math.prod(self.shape) * ITEM_BYTES[self.dtype] != len(self.data):
            raise ValueError(f"{len(self.data)} bytes do not make {self.dtype} of shape {self.shape}")


@dataclass(frozen=True, slots=True)
class Case:
    """The arguments of one call; None is passed on as Python's None."""

    arguments: tuple[Frame | None, ...]


@dataclass(frozen=True, slots=True)
class Limits:
    """What one run may use. Time and memory count from the moment at which the learner's code begins."""

    cpu_time: timedelta = timedelta(seconds=2)
    wall_time: timedelta = timedelta(seconds=4)
    memory_bytes: int = 512 * 1024 * 1024
    output_bytes: int = 64 * 1024
    result_bytes: int = 4 * 1024 * 1024


@dataclass(frozen=True, slots=True)
class Job:
    """Code, the name of the function to call, and the cases to call it with."""

    code: str
    function: str
    cases: tuple[Case, ...]
    limits: Limits = field(default_factory=Limits)

    def __post_init__(self) -> None:
        if len(self.code.encode("utf-8", "surrogatepass")) > MAX_CODE_BYTES:
            raise ValueError(f"code has at most {MAX_CODE_BYTES} bytes")
        if not self.function.isidentifier():
            raise ValueError(f"{self.function!r} cannot name a function")
