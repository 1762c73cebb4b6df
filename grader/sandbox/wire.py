"""The bytes that cross the jail's wall: a request in, a reply out.

Both are flat records of fixed-width little-endian fields. A reply was written by a process in which a learner's
program ran, so it is judged byte by byte here, outside: every field of every header is checked, the unused ones too.
The other half of this format, inside the jail, is `inside.py`.

    request   HEAD, code, function name, then per case: COUNT and that many frames
    frame     FRAME, data             an absent argument has dtype 0 and no data
    reply     RECORD, payload ...     cases in order, then END and nothing more
"""

from __future__ import annotations

import struct
from dataclasses import dataclass
from typing import Final

from grader.sandbox.job import MAX_DIMENSIONS, Frame, Job
from grader.sandbox.result import CaseOutcome, Fault, FaultStage, Raised, Returned, WrongKind
from grader.sandbox.text import readable

HEAD: Final = struct.Struct("<4sIIIQ")  # magic, bytes of code and of the function's name, cases, most result bytes
COUNT: Final = struct.Struct("<I")  # number of arguments
FRAME: Final = struct.Struct("<4sBBHQ4Q")  # magic, dtype, dimensions, zero, bytes of data, sizes (unused ones zero)
RECORD: Final = struct.Struct("<4sBBHIQ")  # magic, kind, flag, zero, case number, bytes of payload
FAULT: Final = struct.Struct("<BBHHHi")  # stage, zero, bytes of kind, message and traceback, line or -1

REQUEST_MAGIC: Final = b"QKVQ"
FRAME_MAGIC: Final = b"QKVF"
RECORD_MAGIC: Final = b"QKVR"
DTYPES: Final = ("none", "float64", "float32", "int64", "bool")
STAGES: Final = tuple(FaultStage)
NO_CASE: Final = 0xFFFFFFFF

KIND_RETURNED, KIND_RAISED, KIND_WRONG_KIND, KIND_TOO_LARGE, KIND_NOT_LOADED, KIND_END = range(1, 7)
TOO_LARGE: Final = "too large"
MAX_KIND_BYTES: Final = 100
MAX_MESSAGE_BYTES: Final = 2_000
MAX_TRACEBACK_BYTES: Final = 8_000


class MalformedReplyError(ValueError):
    """The reply breaks the format: the learner's program wrote into it, or ended in the middle of it."""


@dataclass(frozen=True, slots=True)
class Reply:
    """A reply as far as it goes; `is_complete` says that the END record closes it."""

    outcomes: tuple[CaseOutcome, ...] = ()
    fault: Fault | None = None
    is_complete: bool = False


def encode_request(job: Job) -> bytes:
    """Write a job as the child reads it."""
    code, function = job.code.encode("utf-8", "surrogatepass"), job.function.encode()
    parts = [
        HEAD.pack(REQUEST_MAGIC, len(code), len(function), len(job.cases), job.limits.result_bytes),
        code,
        function,
    ]
    for case in job.cases:
        parts.append(COUNT.pack(len(case.arguments)))
        parts.extend(_encode_argument(argument) for argument in case.arguments)
    return b"".join(parts)


def _encode_argument(frame: Frame | None) -> bytes:
    if frame is None:
        return FRAME.pack(FRAME_MAGIC, 0, 0, 0, 0, 0, 0, 0, 0)
    sizes = (*frame.shape, *(0 for _ in range(MAX_DIMENSIONS - len(frame.shape))))
    dtype = DTYPES.index(frame.dtype)
    return FRAME.pack(FRAME_MAGIC, dtype, len(frame.shape), 0, len(frame.data), *sizes) + frame.data


def parse_reply(data: bytes, case_count: int) -> Reply:
    """Read a whole reply; a reply that stops between two records is not complete, any other fault is malformed."""
    outcomes: list[CaseOutcome] = []
    fault: Fault | None = None
    offset = 0
    while offset < len(data):
        kind, flag, number, payload = _record_at(data, offset)
        offset += RECORD.size + len(payload)
        if kind == KIND_END:
            _expect(offset == len(data) and not payload and not flag, "bytes after the end")
            _expect(number == (NO_CASE if fault else case_count), "a wrong number of cases")
            _expect(fault is not None or len(outcomes) == case_count, "a case is missing")
            return Reply(tuple(outcomes), fault, is_complete=True)
        _expect(fault is None, "a record after the code could not be loaded")
        if kind == KIND_NOT_LOADED:
            _expect(number == NO_CASE and not flag and not outcomes, "a load fault among cases")
            fault = _parse_fault(payload)
            continue
        _expect(number == len(outcomes) and number < case_count, "a case out of order")
        outcomes.append(_parse_outcome(kind, flag, payload))
    return Reply(tuple(outcomes), fault)


def _record_at(data: bytes, offset: int) -> tuple[int, int, int, bytes]:
    _expect(len(data) - offset >= RECORD.size, "half a header")
    magic, kind, flag, zero, number, length = RECORD.unpack_from(data, offset)
    _expect(magic == RECORD_MAGIC and zero == 0 and flag in {0, 1}, "a bad header")
    start = offset + RECORD.size
    _expect(length <= len(data) - start, "half a record")
    return kind, flag, number, data[start : start + length]


def _parse_outcome(kind: int, flag: int, payload: bytes) -> CaseOutcome:
    if kind == KIND_RETURNED:
        return Returned(parse_frame(payload), inputs_changed=bool(flag))
    _expect(flag == 0, "a flag without a meaning")
    if kind == KIND_RAISED:
        return Raised(_parse_fault(payload))
    if kind == KIND_WRONG_KIND:
        return WrongKind(_text(payload, MAX_KIND_BYTES))
    _expect(kind == KIND_TOO_LARGE and not payload, "an unknown record")
    return WrongKind(TOO_LARGE)


def parse_frame(payload: bytes) -> Frame:
    """Read one frame that fills the payload to its last byte."""
    _expect(len(payload) >= FRAME.size, "half a frame")
    magic, dtype, dimensions, zero, length, *sizes = FRAME.unpack_from(payload)
    _expect(magic == FRAME_MAGIC and zero == 0 and 0 < dtype < len(DTYPES), "a bad frame header")
    _expect(dimensions <= MAX_DIMENSIONS and not any(sizes[dimensions:]), "bad dimensions")
    data = payload[FRAME.size :]
    _expect(length == len(data), "a wrong length")
    _expect(max(sizes) < NO_CASE, "a size beyond reason")
    try:
        return Frame(DTYPES[dtype], tuple(sizes[:dimensions]), data)
    except ValueError as error:
        raise MalformedReplyError(str(error)) from error


def _parse_fault(payload: bytes) -> Fault:
    _expect(len(payload) >= FAULT.size, "half a fault")
    stage, zero, kind_size, message_size, traceback_size, line = FAULT.unpack_from(payload)
    _expect(stage < len(STAGES) and zero == 0 and (line == -1 or line > 0), "a bad fault header")
    _expect(FAULT.size + kind_size + message_size + traceback_size == len(payload), "a fault of a wrong length")
    message_at = FAULT.size + kind_size
    traceback_at = message_at + message_size
    return Fault(
        stage=STAGES[stage],
        kind=_text(payload[FAULT.size : message_at], MAX_KIND_BYTES),
        message=_text(payload[message_at:traceback_at], MAX_MESSAGE_BYTES),
        line=None if line == -1 else line,
        traceback=_text(payload[traceback_at:], MAX_TRACEBACK_BYTES),
    )


def _text(raw: bytes, max_bytes: int) -> str:
    _expect(len(raw) <= max_bytes, "a text beyond its cap")
    return readable(raw)


def _expect(holds: bool, otherwise: str) -> None:  # noqa: FBT001 -- reads as an assertion
    if not holds:
        raise MalformedReplyError(otherwise)
