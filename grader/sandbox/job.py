"""What the sandbox is asked to do: a job, its cases, and the limits it runs under."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from datetime import timedelta
from enum import StrEnum
from typing import Final

ITEM_BYTES: Final = {"float64": 8, "float32": 4, "int64": 8, "bool": 1}
MAX_DIMENSIONS: Final = 4
MAX_CODE_BYTES: Final = 64 * 1024
MAX_NESTING: Final = 3
MAX_PARTS: Final = 16
ONE_ARRAY: Final = "."


class Layout(StrEnum):
    """How an argument lies in the memory of the function that gets it; the numbers are the same."""

    PLAIN = "plain"
    FORTRAN = "fortran"
    STRIDED = "strided"
    READ_ONLY = "read_only"


@dataclass(frozen=True, slots=True)
class Frame:
    """An array as plain bytes in C order, little-endian; the only form in which numbers cross the jail's wall."""

    dtype: str
    shape: tuple[int, ...]
    data: bytes
    layout: Layout = Layout.PLAIN

    def __post_init__(self) -> None:
        if self.dtype not in ITEM_BYTES:
            raise ValueError(f"a frame holds {', '.join(ITEM_BYTES)}, not {self.dtype}")
        if len(self.shape) > MAX_DIMENSIONS or any(size < 0 for size in self.shape):
            raise ValueError(f"a frame has up to {MAX_DIMENSIONS} dimensions, not the shape {self.shape}")
        if math.prod(self.shape) * ITEM_BYTES[self.dtype] != len(self.data):
            raise ValueError(f"{len(self.data)} bytes do not make {self.dtype} of shape {self.shape}")


# An argument or a result: an array, Python's None, or a tuple of such.
Value = Frame | tuple["Value", ...] | None


@dataclass(frozen=True, slots=True)
class Case:
    """One call: its arguments, the function if it is not the job's own, and the form of what it returns.

    `returns` draws that form: "." is one array, "(..)" two, "(.(..))" an array and a pair.
    """

    arguments: tuple[Value, ...]
    function: str = ""
    returns: str = ONE_ARRAY

    def __post_init__(self) -> None:
        parts_of(self.returns)
        if self.function and not self.function.isidentifier():
            raise ValueError(f"{self.function!r} cannot name a function")


def parts_of(form: str, nesting: int = 0) -> tuple[str, ...]:
    """The forms of the parts of a tuple; none for one array. Raises ValueError where the text draws no form."""
    if form == ONE_ARRAY:
        return ()
    if not (form.startswith("(") and form.endswith(")")) or nesting >= MAX_NESTING or len(form) > MAX_PARTS:
        raise ValueError(f"{form!r} is no form of a result, such as . or (..)")
    parts, depth, start = [], 0, 1
    for place, sign in enumerate(form[1:-1], start=1):
        depth += {"(": 1, ")": -1, ONE_ARRAY: 0}.get(sign, MAX_PARTS)
        if depth == 0:
            parts.append(form[start : place + 1])
            start = place + 1
    if depth != 0 or start != len(form) - 1 or not parts:
        raise ValueError(f"{form!r} is no form of a result, such as . or (..)")
    for part in parts:
        parts_of(part, nesting + 1)
    return tuple(parts)


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
