"""The bytes that cross the jail's wall: a request in, a reply out.

Both are flat records of fixed-width little-endian fields. A reply was written by a process in which a learner's
program ran, so it is judged byte by byte here, outside: every field of every header is checked, the unused ones too.
The other half of this format, inside the jail, is `inside.py`.

    request   HEAD, code, then per case: CASE, function name, form of the result, and that many values
    value     FRAME, data             None has dtype 0 and no data; a tuple has no data, and its parts follow
    reply     RECORD, payload ...     LOADED, then the cases in order, then END and nothing more
"""

from __future__ import annotations

import math
import struct
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from grader.sandbox.job import MAX_DIMENSIONS, ONE_ARRAY, Frame, Job, Layout, Value, parts_of
from grader.sandbox.result import CaseOutcome, Fault, FaultStage, Raised, Returned, WrongKind
from grader.sandbox.text import readable

HEAD: Final = struct.Struct("<4sIIQ")  # magic, bytes of code, cases, most result bytes
CASE: Final = struct.Struct("<HHI")  # bytes of the function's name and of the form of its result, arguments
FRAME: Final = struct.Struct("<4sBBHQ4Q")  # magic, dtype, dimensions, layout, bytes of data, sizes (unused ones zero)
RECORD: Final = struct.Struct(
    "<4sBBHIQQ"
)  # magic, kind, flag, zero, case number, bytes of payload, bytes printed so far
KIND: Final = struct.Struct("<HH")  # bytes of the name of a Python type, zero
FAULT: Final = struct.Struct("<BBHHHHi")  # stage, zero, bytes of kind, message, traceback and arrays, line or -1

REQUEST_MAGIC: Final = b"QKVQ"
FRAME_MAGIC: Final = b"QKVF"
RECORD_MAGIC: Final = b"QKVR"
DTYPES: Final = ("none", "float64", "float32", "int64", "bool")
TUPLE: Final = len(DTYPES)
TRUTH_VALUES: Final = b"\0\1"
LAYOUTS: Final = tuple(Layout)
STAGES: Final = tuple(FaultStage)
NO_CASE: Final = 0xFFFFFFFF

KIND_LOADED, KIND_RETURNED, KIND_RAISED, KIND_WRONG_KIND, KIND_TOO_LARGE, KIND_NOT_LOADED, KIND_END = range(1, 8)
TOO_LARGE: Final = "too large"
MAX_KIND_BYTES: Final = 100
MAX_MESSAGE_BYTES: Final = 2_000
MAX_TRACEBACK_BYTES: Final = 8_000
MAX_ARRAYS_BYTES: Final = 400


class MalformedReplyError(ValueError):
    """The reply breaks the format: the learner's program wrote into it, or ended in the middle of it."""


@dataclass(frozen=True, slots=True)
class Reply:
    """A reply as far as it goes; `is_complete` says that the END record closes it.

    `printed_bytes` tells how much had been printed when the code was loaded, and after each case.
    """

    outcomes: tuple[CaseOutcome, ...] = ()
    fault: Fault | None = None
    printed_bytes: tuple[int, ...] = ()
    is_complete: bool = False


def encode_request(job: Job) -> bytes:
    """Write a job as the child reads it."""
    code = job.code.encode("utf-8", "surrogatepass")
    parts = [HEAD.pack(REQUEST_MAGIC, len(code), len(job.cases), job.limits.result_bytes), code]
    for case in job.cases:
        function, form = (case.function or job.function).encode(), case.returns.encode()
        parts += [CASE.pack(len(function), len(form), len(case.arguments)), function, form]
        for argument in case.arguments:
            parts += _encode_value(argument)
    return b"".join(parts)


def _encode_value(value: Value) -> list[bytes]:
    if value is None:
        return [FRAME.pack(FRAME_MAGIC, 0, 0, 0, 0, 0, 0, 0, 0)]
    if isinstance(value, tuple):
        head = FRAME.pack(FRAME_MAGIC, TUPLE, 0, 0, len(value), 0, 0, 0, 0)
        return [head, *(part for inner in value for part in _encode_value(inner))]
    sizes = (*value.shape, *(0 for _ in range(MAX_DIMENSIONS - len(value.shape))))
    dtype, layout = DTYPES.index(value.dtype), LAYOUTS.index(value.layout)
    return [FRAME.pack(FRAME_MAGIC, dtype, len(value.shape), layout, len(value.data), *sizes), value.data]


def parse_reply(data: bytes, forms: Sequence[str]) -> Reply:
    """Read a whole reply to as many cases as there are forms of a result.

    A reply that stops between two records is not complete; any other fault is malformed.
    """
    outcomes: list[CaseOutcome] = []
    printed: list[int] = []
    fault: Fault | None = None
    offset = 0
    while offset < len(data):
        record = _record_at(data, offset)
        offset += RECORD.size + len(record.payload)
        if record.kind == KIND_END:
            _expect(offset == len(data), "bytes after the end")
            _expect_end(
                record, has_fault=fault is not None, is_last_case=len(printed) == len(forms) + 1, cases=len(forms)
            )
            return Reply(tuple(outcomes), fault, tuple(printed), is_complete=True)
        _expect(fault is None, "a record after the code could not be loaded")
        _expect(record.printed_bytes >= (printed[-1] if printed else 0), "less printed than before")
        printed.append(record.printed_bytes)
        if record.kind in {KIND_LOADED, KIND_NOT_LOADED}:
            _expect(record.number == NO_CASE and not record.flag and len(printed) == 1, "loaded among cases")
            if record.kind == KIND_NOT_LOADED:
                fault = _parse_fault(record.payload)
            else:
                _expect(not record.payload, "a payload without a meaning")
            continue
        number = len(outcomes)
        _expect(len(printed) == number + 2 and record.number == number < len(forms), "a case out of order")
        outcomes.append(_parse_outcome(record, forms[number]))
    return Reply(tuple(outcomes), fault, tuple(printed))


def kind_of(record: bytes) -> int:
    """Which kind of record this is."""
    return record[len(RECORD_MAGIC)]


@dataclass(frozen=True, slots=True)
class _Record:
    kind: int
    flag: int
    number: int
    payload: bytes
    printed_bytes: int


def _record_at(data: bytes, offset: int) -> _Record:
    _expect(len(data) - offset >= RECORD.size, "half a header")
    magic, kind, flag, zero, number, length, printed_bytes = RECORD.unpack_from(data, offset)
    _expect(magic == RECORD_MAGIC and zero == 0 and flag in {0, 1}, "a bad header")
    start = offset + RECORD.size
    _expect(length <= len(data) - start, "half a record")
    return _Record(kind, flag, number, data[start : start + length], printed_bytes)


def _expect_end(record: _Record, *, has_fault: bool, is_last_case: bool, cases: int) -> None:
    _expect(not record.payload and not record.flag and not record.printed_bytes, "an end with a content")
    _expect(record.number == (NO_CASE if has_fault else cases), "a wrong number of cases")
    _expect(has_fault or is_last_case, "a case is missing")


def _parse_outcome(record: _Record, form: str) -> CaseOutcome:
    if record.kind == KIND_RETURNED:
        return _parse_returned(record, form)
    _expect(record.flag == 0, "a flag without a meaning")
    if record.kind == KIND_RAISED:
        return Raised(_parse_fault(record.payload))
    if record.kind == KIND_WRONG_KIND:
        return WrongKind(_text(record.payload, MAX_KIND_BYTES))
    _expect(record.kind == KIND_TOO_LARGE and not record.payload, "an unknown record")
    return WrongKind(TOO_LARGE)


def _parse_returned(record: _Record, form: str) -> Returned:
    _expect(len(record.payload) >= KIND.size, "half a kind")
    kind_size, zero = KIND.unpack_from(record.payload)
    _expect(zero == 0 and KIND.size + kind_size <= len(record.payload), "a bad kind")
    value_at = KIND.size + kind_size
    kind = _text(record.payload[KIND.size : value_at], MAX_KIND_BYTES)
    value, end = _value_at(record.payload, value_at, form)
    _expect(end == len(record.payload), "bytes after a value")
    return Returned(value, kind, inputs_changed=bool(record.flag))


def _value_at(payload: bytes, offset: int, form: str) -> tuple[Value, int]:
    """Read a value of just this form; return it and where it ends."""
    if form == ONE_ARRAY:
        return _frame_at(payload, offset)
    _expect(len(payload) - offset >= FRAME.size, "half a tuple")
    header, parts = FRAME.unpack_from(payload, offset), parts_of(form)
    _expect(header == (FRAME_MAGIC, TUPLE, 0, 0, len(parts), 0, 0, 0, 0), "no tuple of this length")
    values, offset = [], offset + FRAME.size
    for part in parts:
        value, offset = _value_at(payload, offset, part)
        values.append(value)
    return tuple(values), offset


def _frame_at(payload: bytes, offset: int) -> tuple[Frame, int]:
    _expect(len(payload) - offset >= FRAME.size, "half a frame")
    magic, dtype, dimensions, layout, length, *sizes = FRAME.unpack_from(payload, offset)
    _expect(magic == FRAME_MAGIC and layout == 0 and 0 < dtype < len(DTYPES), "a bad frame header")
    _expect(dimensions <= MAX_DIMENSIONS and not any(sizes[dimensions:]), "bad dimensions")
    start = offset + FRAME.size
    _expect(length <= len(payload) - start, "a wrong length")
    # With one size of zero the others cost no byte; but no array can be made of sizes beyond all memory.
    _expect(math.prod(size or 1 for size in sizes) < NO_CASE, "sizes beyond reason")
    content = payload[start : start + length]
    _expect(DTYPES[dtype] != "bool" or not content.translate(None, TRUTH_VALUES), "neither true nor false")
    try:
        frame = Frame(DTYPES[dtype], tuple(sizes[:dimensions]), content)
    except ValueError as error:
        raise MalformedReplyError(str(error)) from error
    return frame, start + length


def _parse_fault(payload: bytes) -> Fault:
    _expect(len(payload) >= FAULT.size, "half a fault")
    stage, zero, kind_size, message_size, traceback_size, arrays_size, line = FAULT.unpack_from(payload)
    _expect(stage < len(STAGES) and zero == 0 and (line == -1 or line > 0), "a bad fault header")
    message_at = FAULT.size + kind_size
    traceback_at = message_at + message_size
    arrays_at = traceback_at + traceback_size
    _expect(arrays_at + arrays_size == len(payload), "a fault of a wrong length")
    return Fault(
        stage=STAGES[stage],
        kind=_text(payload[FAULT.size : message_at], MAX_KIND_BYTES),
        message=_text(payload[message_at:traceback_at], MAX_MESSAGE_BYTES),
        line=None if line == -1 else line,
        traceback=_text(payload[traceback_at:arrays_at], MAX_TRACEBACK_BYTES),
        arrays=_text(payload[arrays_at:], MAX_ARRAYS_BYTES),
    )


def _text(raw: bytes, max_bytes: int) -> str:
    _expect(len(raw) <= max_bytes, "a text beyond its cap")
    return readable(raw)


def _expect(holds: bool, otherwise: str) -> None:  # noqa: FBT001 -- reads as an assertion
    if not holds:
        raise MalformedReplyError(otherwise)
