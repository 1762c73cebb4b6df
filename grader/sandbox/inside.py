"""What runs within the jail: read the request, call the learner's function, write what came of it.

Everything here shares an interpreter with the learner's program, which may change any of it. So nothing that this
file says is believed outside: it can only spoil or invent the learner's own answer, and inventing the right one is no
easier than computing it. Expected values are never in here. Of two witnesses for "the inputs were changed" (compare
in here, or send the arguments back) neither is safer; comparing here is the shorter one.

This is the only file of the sandbox that loads numpy.
"""

from __future__ import annotations

import importlib
import io
import os
import sys
import warnings
from collections.abc import Callable, Iterator
from contextlib import suppress
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from grader.sandbox import descriptors, submission, wire
from grader.sandbox.job import MAX_DIMENSIONS
from grader.sandbox.result import Fault, FaultStage
from grader.sandbox.warm import LIBRARY, REQUESTS

Array = npt.NDArray[Any]
Arguments = list["Array | None"]
LOADABLE: Final = {1: np.float64, 2: np.float32, 3: np.int64, 4: np.bool_}
CODES: Final = {np.dtype(dtype): code for code, dtype in LOADABLE.items()}
LARGEST_INT: Final = 2**63 - 1
LARGEST_ITEM_BYTES: Final = 8
CHUNK_BYTES: Final = 1024 * 1024


class WrongResultError(Exception):
    """What the function returned is no array that we can take; the text says what it is."""


class TooLargeError(Exception):
    """The results of this run do not fit into what is read of them."""


def warm_up() -> None:
    """Load what honest programs import, and walk every path once, so that a child finds all of it in memory."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for name in LIBRARY:
            with suppress(ImportError):
                importlib.import_module(name)
    for job in REQUESTS:
        answer(wire.encode_request(job), lambda _: None)
        submission.forget()


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
    code, function, cases, room_bytes = _decode_request(request)
    try:
        loaded = submission.load(code, function)
    except submission.NotLoadedError as refusal:
        write(_record(wire.KIND_NOT_LOADED, wire.NO_CASE, _encode_fault(refusal.fault)))
        write(_record(wire.KIND_END, wire.NO_CASE))
        return
    kept_alive: list[object] = [loaded]
    count = 0
    for number, arguments in enumerate(cases):
        record = _call(loaded.function, number, arguments, room_bytes, kept_alive)
        room_bytes -= len(record)
        write(record)
        count += 1
    write(_record(wire.KIND_END, count))


def _call(
    function: Callable[..., Any], number: int, arguments: Arguments, room_bytes: int, kept_alive: list[object]
) -> bytes:
    # The learner gets fresh copies; these stay as they came.
    copies = [None if argument is None else argument.copy() for argument in arguments]
    try:
        result = function(*copies)
        kept_alive.append(result)
        frame = _encode_frame(_as_array(result, room_bytes - wire.FRAME.size - wire.RECORD.size))
        flag = any(
            argument is not None and copy is not None and argument.tobytes() != copy.tobytes()
            for argument, copy in zip(arguments, copies, strict=True)
        )
        return _record(wire.KIND_RETURNED, number, frame, flag=flag)
    except WrongResultError as error:
        return _record(wire.KIND_WRONG_KIND, number, str(error).encode("utf-8", "replace")[: wire.MAX_KIND_BYTES])
    except TooLargeError:
        return _record(wire.KIND_TOO_LARGE, number)
    except BaseException as error:  # noqa: BLE001 -- the edge of the learner's code
        kept_alive.append(error)
        return _record(wire.KIND_RAISED, number, _encode_fault(submission.fault_of(error, FaultStage.CALL)))


def _as_array(result: object, room_bytes: int) -> Array:
    """Take numbers in whatever form they are: an array, nested lists or tuples, a single number."""
    if result is None or isinstance(result, (str, bytes, dict, set, frozenset, range)):
        raise WrongResultError(type(result).__name__)
    if not isinstance(result, (np.ndarray, np.generic, int, float, complex, list, tuple)) and not hasattr(
        result, "__array__"
    ):
        raise WrongResultError(type(result).__name__)
    try:
        array = np.asarray(result)
    except ValueError:
        raise WrongResultError(f"uneven {type(result).__name__}") from None
    # A broadcast array has few bytes as it is and many once copied.
    if array.size * LARGEST_ITEM_BYTES > room_bytes:
        raise TooLargeError
    return _as_known_dtype(array, result)


def _as_known_dtype(array: Array, result: object) -> Array:
    if array.ndim > MAX_DIMENSIONS:
        raise WrongResultError(f"array with {array.ndim} dimensions")
    kind = array.dtype.kind
    if kind == "b":
        return array
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
    kind, message, trace = fault.kind.encode(), fault.message.encode(), fault.traceback.encode()
    sizes = (len(kind), len(message), len(trace))
    return wire.FAULT.pack(wire.STAGES.index(fault.stage), 0, *sizes, fault.line or -1) + kind + message + trace


def _record(kind: int, number: int, payload: bytes = b"", *, flag: bool = False) -> bytes:
    return wire.RECORD.pack(wire.RECORD_MAGIC, kind, flag, 0, number, len(payload)) + payload


def _decode_request(request: bytes) -> tuple[str, str, Iterator[Arguments], int]:
    _, code_size, name_size, case_count, room_bytes = wire.HEAD.unpack_from(request)
    code_at, name_at = wire.HEAD.size, wire.HEAD.size + code_size
    code = request[code_at:name_at].decode("utf-8", "surrogatepass")
    name = request[name_at : name_at + name_size].decode()
    return code, name, _decode_cases(request, name_at + name_size, case_count), room_bytes


def _decode_cases(request: bytes, offset: int, case_count: int) -> Iterator[Arguments]:
    for _ in range(case_count):
        (argument_count,) = wire.COUNT.unpack_from(request, offset)
        offset += wire.COUNT.size
        arguments: Arguments = []
        for _ in range(argument_count):
            _, code, dimensions, _, size, *sizes = wire.FRAME.unpack_from(request, offset)
            offset += wire.FRAME.size
            arguments.append(_decode_array(request[offset : offset + size], code, tuple(sizes[:dimensions])))
            offset += size
        yield arguments


def _decode_array(data: bytes, code: int, shape: tuple[int, ...]) -> Array | None:
    return np.frombuffer(data, LOADABLE[code]).reshape(shape) if code else None


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
