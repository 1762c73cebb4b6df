"""What runs within the jail: read the request, call the learner's function, write what came of it.

Everything here shares an interpreter with the learner's program, which may change any of it. So nothing that this
file says is believed outside: it can only spoil or invent the learner's own answer, and inventing the right one is no
easier than computing it. Expected values are never in here. Of two witnesses for "the inputs were changed" (compare
in here, or send the arguments back) neither is safer; comparing here is the shorter one.

Beside `submission`, which also runs in the jail only, this is the one file of the sandbox that loads numpy.
"""

from __future__ import annotations

import importlib
import io
import os
import sys
import warnings
from collections.abc import Callable, Iterator
from contextlib import redirect_stdout
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from grader.sandbox import descriptors, submission, wire
from grader.sandbox.job import MAX_DIMENSIONS, ONE_ARRAY, Layout, parts_of
from grader.sandbox.result import Fault, FaultStage
from grader.sandbox.warm import LIBRARY, PATHS, WARM_RUNS, WIDE, forget_what_was_left_out

Array = npt.NDArray[Any]
Argument = Array | int | float | tuple["Argument", ...] | None
LOADABLE: Final = {1: np.float64, 2: np.float32, 3: np.int64, 4: np.bool_}
CODES: Final = {np.dtype(dtype): code for code, dtype in LOADABLE.items()}
LARGEST_INT: Final = 2**63 - 1
LARGEST_ITEM_BYTES: Final = 8
CHUNK_BYTES: Final = 1024 * 1024


class WrongResultError(Exception):
    """What the function returned is no array that we can take; the text says what it is."""


class TooLargeError(Exception):
    """The results of this run do not fit into what is read of them."""


def load_library() -> None:
    """Load what honest programs import: a child has no file to load it from."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for name in LIBRARY:
            importlib.import_module(name)
    forget_what_was_left_out()


def walk() -> None:
    """Walk every path of a run, until Python has learnt it: a child copies each page that it writes to.

    Raises RuntimeError where a path ends otherwise than it must: no learner shall be told of what is broken here.
    """
    for job, end in (WIDE, *(PATHS * WARM_RUNS)):
        records: list[bytes] = []
        with redirect_stdout(io.StringIO()):
            answer(wire.encode_request(job), records.append)
        submission.forget()
        if wire.kind_of(records[-2]) != end:
            raise RuntimeError(f"a program of ours ended as {records[-2]!r}")


def open_standard_streams() -> None:
    """Bind Python's streams to the three standard numbers; output goes out at once, so nothing is left to flush."""
    streams: dict[str, io.TextIOWrapper] = {
        "stdin": io.TextIOWrapper(io.BufferedReader(io.FileIO(descriptors.STDIN, closefd=False)), "utf-8")
    }
    for name, number in (("stdout", descriptors.STDOUT), ("stderr", descriptors.STDERR)):
        raw: Any = io.FileIO(number, "w", closefd=False)
        streams[name] = io.TextIOWrapper(raw, "utf-8", "backslashreplace", write_through=True)
    for name, stream in streams.items():
        vars(sys).update({name: stream, f"__{name}__": stream})


def run_and_leave() -> None:
    """Run the request, and leave at once.

    A program may get in the way of the last line here. Then nothing is left for this process but the end of its
    interpreter, in the same jail and under the same limits; the keeper measures and ends it either way.
    """
    leave = os._exit
    exit_code = 1
    try:
        request = _read_request()
        os.close(descriptors.REQUEST)
        answer(request, _write_result)
        exit_code = 0
    finally:
        leave(exit_code)


def answer(request: bytes, write: Callable[[bytes], None]) -> None:
    """Do what a request says and write the reply, record by record."""
    code, calls, room_bytes = _decode_request(request)
    try:
        loaded = submission.load(code, {call.function for call in calls})
    except submission.NotLoadedError as refusal:
        write(_record(wire.KIND_NOT_LOADED, wire.NO_CASE, _encode_fault(refusal.fault)))
        write(_record(wire.KIND_END, wire.NO_CASE))
        return
    write(_record(wire.KIND_LOADED, wire.NO_CASE))
    # No destructor of the learner's runs before the end.
    kept_alive: list[object] = [loaded]
    for number, call in enumerate(calls):
        record = _outcome(loaded.functions[call.function], number, call, room_bytes, kept_alive)
        room_bytes -= len(record)
        write(record)
    write(_record(wire.KIND_END, len(calls)))


def _outcome(function: Callable[..., Any], number: int, call: Call, room_bytes: int, kept_alive: list[object]) -> bytes:
    before = [_bytes_of(argument) for argument in call.arguments]
    try:
        result = function(*call.arguments)
        kept_alive.append(result)
        parts = _encode_value(result, call.form, room_bytes - wire.FRAME.size - wire.RECORD.size)
        flag = before != [_bytes_of(argument) for argument in call.arguments]
        return _record(wire.KIND_RETURNED, number, _encode_kind(result) + b"".join(parts), flag=flag)
    except WrongResultError as error:
        return _record(wire.KIND_WRONG_KIND, number, str(error).encode("utf-8", "replace")[: wire.MAX_KIND_BYTES])
    except TooLargeError:
        return _record(wire.KIND_TOO_LARGE, number)
    except BaseException as error:  # noqa: BLE001 -- the edge of the learner's code
        kept_alive.append(error)
        return _record(wire.KIND_RAISED, number, _encode_fault(submission.fault_of(error, FaultStage.CALL)))


def _bytes_of(argument: Argument) -> object:
    if isinstance(argument, tuple):
        return [_bytes_of(part) for part in argument]
    return argument.tobytes() if isinstance(argument, np.ndarray) else argument


def _encode_kind(result: object) -> bytes:
    name = type(result).__name__.encode("utf-8", "replace")[: wire.MAX_KIND_BYTES]
    return wire.KIND.pack(len(name), 0) + name


def _encode_value(result: object, form: str, room_bytes: int) -> list[bytes]:
    """Write a result in the form that was asked for: one array, or a tuple of parts."""
    if form == ONE_ARRAY:
        return [_encode_frame(_as_array(result, room_bytes))]
    if not isinstance(result, (tuple, list)):
        raise WrongResultError(type(result).__name__)
    forms = parts_of(form)
    if len(result) != len(forms):
        raise WrongResultError(f"{type(result).__name__} of {len(result)}")
    parts = [wire.FRAME.pack(wire.FRAME_MAGIC, wire.TUPLE, 0, 0, len(forms), 0, 0, 0, 0)]
    for inner, part in zip(result, forms, strict=True):
        written = _encode_value(inner, part, room_bytes)
        room_bytes -= sum(map(len, written))
        parts += written
    return parts


def _as_array(result: object, room_bytes: int) -> Array:
    """Take numbers in whatever form they are: an array, nested lists or tuples, a single number."""
    if result is None or isinstance(result, (str, bytes, dict, set, frozenset, range)):
        raise WrongResultError(type(result).__name__)
    if not isinstance(result, (np.ndarray, np.generic, int, float, complex, list, tuple)) and not hasattr(
        result, "__array__"
    ):
        raise WrongResultError(type(result).__name__)
    if isinstance(result, (list, tuple)) and _holds_results(result):
        raise WrongResultError(f"{type(result).__name__} of {len(result)}")
    try:
        array = np.asarray(result)
    except ValueError:
        raise WrongResultError(f"uneven {type(result).__name__}") from None
    # A broadcast array has few bytes as it is and many once copied.
    if array.size * LARGEST_ITEM_BYTES > room_bytes:
        raise TooLargeError
    return _as_known_dtype(array, result)


def _holds_results(parts: list[object] | tuple[object, ...]) -> bool:
    """Whether these are several results, such as (context, weights), and not the rows of one."""
    least_axes = 1 if isinstance(parts, tuple) else 2
    return any(isinstance(part, np.ndarray) and part.ndim >= least_axes for part in parts)


def _as_known_dtype(array: Array, result: object) -> Array:
    if array.ndim > MAX_DIMENSIONS:
        raise WrongResultError(f"array with {array.ndim} dimensions")
    kind = array.dtype.kind
    if kind == "b":
        # A view of other bytes as truth values may hold more than 0 and 1.
        return np.asarray(array != 0)
    if kind == "i" or (kind == "u" and (array.size == 0 or array.max() <= LARGEST_INT)):
        return array.astype(np.int64, copy=False)
    if kind in "uf":
        is_single = kind == "f" and array.dtype.itemsize < LARGEST_ITEM_BYTES
        return array.astype(np.float32 if is_single else np.float64, copy=False)
    if isinstance(result, (list, tuple)):
        raise WrongResultError(f"{type(result).__name__} of {_first_odd_kind(result)}")
    raise WrongResultError(str(array.dtype) if kind != "O" else "array of objects")


def _first_odd_kind(values: object) -> str:
    """Name the first thing in nested lists that is not a number."""
    numbers = (bool, int, float, np.generic)
    odd_kinds = (type(leaf).__name__ for leaf in _leaves(values) if not isinstance(leaf, numbers))
    return next(odd_kinds, "numbers beyond 64 bits")


def _leaves(values: object) -> Iterator[object]:
    if isinstance(values, (list, tuple)):
        for value in values:
            yield from _leaves(value)
    else:
        yield values


def _encode_frame(array: Array) -> bytes:
    code, data = CODES[array.dtype], array.tobytes()
    sizes = (*array.shape, *(0 for _ in range(MAX_DIMENSIONS - array.ndim)))
    return wire.FRAME.pack(wire.FRAME_MAGIC, code, array.ndim, 0, len(data), *sizes) + data


def _encode_fault(fault: Fault) -> bytes:
    texts = [text.encode() for text in (fault.kind, fault.message, fault.traceback, fault.arrays)]
    head = wire.FAULT.pack(wire.STAGES.index(fault.stage), 0, *map(len, texts), fault.line or -1)
    return head + b"".join(texts)


def _record(kind: int, number: int, payload: bytes = b"", *, flag: bool = False) -> bytes:
    printed_bytes = 0 if kind == wire.KIND_END else _printed_bytes()
    return wire.RECORD.pack(wire.RECORD_MAGIC, kind, flag, 0, number, len(payload), printed_bytes) + payload


def _printed_bytes() -> int:
    try:
        # glibc asks for fstat by a call that also takes paths, and those are refused.
        return os.lseek(descriptors.STDOUT, 0, os.SEEK_END)
    except OSError:  # the program closed it
        return 0


@dataclass(frozen=True, slots=True)
class Call:
    """One call of a request."""

    function: str
    form: str
    arguments: list[Argument]


def _decode_request(request: bytes) -> tuple[str, list[Call], int]:
    _, code_size, case_count, room_bytes = wire.HEAD.unpack_from(request)
    offset = wire.HEAD.size + code_size
    code = request[wire.HEAD.size : offset].decode("utf-8", "surrogatepass")
    calls: list[Call] = []
    for _ in range(case_count):
        name_size, form_size, argument_count = wire.CASE.unpack_from(request, offset)
        form_at = offset + wire.CASE.size + name_size
        offset = form_at + form_size
        call = Call(request[form_at - name_size : form_at].decode(), request[form_at:offset].decode(), [])
        for _ in range(argument_count):
            argument, offset = _decode_value(request, offset)
            call.arguments.append(argument)
        calls.append(call)
    return code, calls, room_bytes


def _decode_value(request: bytes, offset: int) -> tuple[Argument, int]:
    _, code, dimensions, layout, size, *sizes = wire.FRAME.unpack_from(request, offset)
    offset += wire.FRAME.size
    if code == wire.TUPLE:
        parts: list[Argument] = []
        for _ in range(size):
            part, offset = _decode_value(request, offset)
            parts.append(part)
        return tuple(parts), offset
    if code == 0:
        return None, offset
    array = np.frombuffer(request[offset : offset + size], LOADABLE[code]).reshape(sizes[:dimensions])
    # A single number, such as an axis, is Python's own: that is what people write and ask for.
    argument = _laid_out(array, wire.LAYOUTS[layout]) if dimensions else array.item()
    return argument, offset + size


def _laid_out(array: Array, layout: Layout) -> Array:
    """The array as the function gets it. It can be written to unless the layout says otherwise."""
    if layout is Layout.READ_ONLY:
        return array
    if layout is Layout.FORTRAN:
        return array.copy("F")
    if layout is Layout.STRIDED:
        wide = np.zeros((*array.shape[:-1], 2 * array.shape[-1]), array.dtype)
        wide[..., ::2] = array
        return wide[..., ::2]
    return array.copy()


def _read_request() -> bytes:
    parts: list[bytes] = []
    offset = 0
    while part := os.pread(descriptors.REQUEST, CHUNK_BYTES, offset):
        parts.append(part)
        offset += len(part)
    return b"".join(parts)


def _write_result(record: bytes) -> None:
    view = memoryview(record)
    while view:
        view = view[os.write(descriptors.RESULT, view) :]
