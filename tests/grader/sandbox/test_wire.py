from __future__ import annotations

import struct

import pytest
from hypothesis import given
from hypothesis import strategies as st

from grader.sandbox import Fault, FaultStage, Frame, Raised, Returned, WrongKind
from grader.sandbox.wire import (
    FAULT,
    FRAME,
    KIND_END,
    KIND_NOT_LOADED,
    KIND_RAISED,
    KIND_RETURNED,
    KIND_TOO_LARGE,
    KIND_WRONG_KIND,
    NO_CASE,
    RECORD,
    MalformedReplyError,
    Reply,
    parse_frame,
    parse_reply,
)
from tests.grader.sandbox.running import frame

TWO = FRAME.pack(b"QKVF", 1, 1, 0, 16, 2, 0, 0, 0) + struct.pack("<2d", 1, 2)


def record(kind: int, number: int, payload: bytes = b"", flag: int = 0) -> bytes:
    return RECORD.pack(b"QKVR", kind, flag, 0, number, len(payload)) + payload


def fault(
    stage: int = 2, kind: bytes = b"ValueError", message: bytes = b"no", trace: bytes = b"", line: int = 3
) -> bytes:
    return FAULT.pack(stage, 0, len(kind), len(message), len(trace), line) + kind + message + trace


END_OF_TWO = record(KIND_END, 2)
WHOLE = record(KIND_RETURNED, 0, TWO, flag=1) + record(KIND_RAISED, 1, fault()) + END_OF_TWO


def test_a_whole_reply_is_read():
    expected_fault = Fault(FaultStage.CALL, "ValueError", "no", 3, "")

    assert parse_reply(WHOLE, 2) == Reply(
        (Returned(frame(1, 2), inputs_changed=True), Raised(expected_fault)), None, is_complete=True
    )


def test_code_that_could_not_be_loaded_ends_the_reply():
    data = record(KIND_NOT_LOADED, NO_CASE, fault(stage=0, line=-1)) + record(KIND_END, NO_CASE)

    assert parse_reply(data, 2) == Reply((), Fault(FaultStage.SYNTAX, "ValueError", "no", None, ""), is_complete=True)


def test_results_that_are_no_arrays():
    data = record(KIND_WRONG_KIND, 0, b"NoneType") + record(KIND_TOO_LARGE, 1) + END_OF_TWO

    assert parse_reply(data, 2).outcomes == (WrongKind("NoneType"), WrongKind("too large"))


def test_a_reply_cut_between_records_is_incomplete_and_keeps_what_it_has():
    cut = WHOLE[: -len(END_OF_TWO)]

    assert parse_reply(cut, 2) == Reply(parse_reply(WHOLE, 2).outcomes, None, is_complete=False)
    assert parse_reply(b"", 2) == Reply()


MALFORMED = {
    "bytes after the end": WHOLE + b"\0",
    "a record after the end": WHOLE + record(KIND_RETURNED, 2, TWO),
    "half a header": WHOLE[:10],
    "half a payload": WHOLE[:40],
    "another magic": b"XXXX" + WHOLE[4:],
    "a reserved field in use": RECORD.pack(b"QKVR", KIND_RETURNED, 0, 1, 0, len(TWO)) + TWO,
    "a flag that is no flag": record(KIND_RETURNED, 0, TWO, flag=2),
    "a flag where there is none": record(KIND_RAISED, 0, fault(), flag=1),
    "an unknown kind": record(7, 0, TWO),
    "kind zero": record(0, 0),
    "a case twice": record(KIND_RETURNED, 0, TWO) * 2,
    "a case left out": record(KIND_RETURNED, 1, TWO),
    "one case too many": WHOLE[: -len(END_OF_TWO)] + record(KIND_RETURNED, 2, TWO),
    "an end too early": record(KIND_RETURNED, 0, TWO) + END_OF_TWO,
    "an end of other cases": record(KIND_RETURNED, 0, TWO) + record(KIND_END, 1),
    "an end with a payload": WHOLE[: -len(END_OF_TWO)] + record(KIND_END, 2, b"\0"),
    "a load fault after a case": record(KIND_RETURNED, 0, TWO) + record(KIND_NOT_LOADED, NO_CASE, fault()),
    "two load faults": record(KIND_NOT_LOADED, NO_CASE, fault()) * 2,
    "a length beyond the reply": RECORD.pack(b"QKVR", KIND_RETURNED, 0, 0, 0, 2**63) + TWO,
    "too large, with a payload": record(KIND_TOO_LARGE, 0, b"x"),
    "a kind beyond its cap": record(KIND_WRONG_KIND, 0, b"x" * 101),
    "an unknown stage": record(KIND_RAISED, 0, fault(stage=5)),
    "line zero": record(KIND_RAISED, 0, fault(line=0)),
    "a message beyond its cap": record(KIND_RAISED, 0, fault(message=b"x" * 2001)),
    "a traceback beyond its cap": record(KIND_RAISED, 0, fault(trace=b"x" * 8001)),
    "a fault shorter than it says": record(KIND_RAISED, 0, fault()[:-1]),
    "a fault longer than it says": record(KIND_RAISED, 0, fault() + b"x"),
    "half a fault header": record(KIND_RAISED, 0, b"\0" * 5),
    "a pickle": b"\x80\x04\x95\x0b\x00\x00\x00\x00\x00\x00\x00\x8c\x02os\x94.",
    "an npy file": b"\x93NUMPY\x01\x00v\x00{'descr': '<f8'}",
}


@pytest.mark.parametrize("data", MALFORMED.values(), ids=MALFORMED.keys())
def test_malformed_replies_are_refused(data):
    with pytest.raises(MalformedReplyError):
        parse_reply(data, 2)


MALFORMED_FRAMES = {
    "short": FRAME.pack(b"QKVF", 1, 1, 0, 16, 2, 0, 0, 0)[:-1],
    "another magic": FRAME.pack(b"QKVG", 1, 1, 0, 16, 2, 0, 0, 0) + bytes(16),
    "no dtype": FRAME.pack(b"QKVF", 0, 0, 0, 0, 0, 0, 0, 0),
    "an unknown dtype": FRAME.pack(b"QKVF", 5, 1, 0, 16, 2, 0, 0, 0) + bytes(16),
    "a reserved field in use": FRAME.pack(b"QKVF", 1, 1, 1, 16, 2, 0, 0, 0) + bytes(16),
    "an unused size in use": FRAME.pack(b"QKVF", 1, 1, 0, 16, 2, 1, 0, 0) + bytes(16),
    "five dimensions": FRAME.pack(b"QKVF", 1, 5, 0, 8, 1, 1, 1, 1) + bytes(8),
    "a shorter length": FRAME.pack(b"QKVF", 1, 1, 0, 8, 2, 0, 0, 0) + bytes(16),
    "a longer length": FRAME.pack(b"QKVF", 1, 1, 0, 24, 2, 0, 0, 0) + bytes(16),
    "another shape": FRAME.pack(b"QKVF", 1, 1, 0, 16, 3, 0, 0, 0) + bytes(16),
    "a product that wraps around": FRAME.pack(b"QKVF", 1, 2, 0, 0, 2**32, 2**32, 0, 0),
    "an endless empty array": FRAME.pack(b"QKVF", 1, 2, 0, 0, 2**63, 0, 0, 0),
}


@pytest.mark.parametrize("payload", MALFORMED_FRAMES.values(), ids=MALFORMED_FRAMES.keys())
def test_malformed_frames_are_refused(payload):
    with pytest.raises(MalformedReplyError):
        parse_frame(payload)


def test_a_boolean_frame_and_a_single_number_are_read():
    assert parse_frame(FRAME.pack(b"QKVF", 4, 2, 0, 2, 1, 2, 0, 0) + b"\1\0") == Frame("bool", (1, 2), b"\1\0")
    assert parse_frame(FRAME.pack(b"QKVF", 3, 0, 0, 8, 0, 0, 0, 0) + bytes(8)) == Frame("int64", (), bytes(8))


@given(st.binary(max_size=300))
def test_any_bytes_are_read_or_refused(data):
    try:
        parse_reply(data, 2)
    except MalformedReplyError:
        return


@given(st.integers(0, len(WHOLE) - 1), st.integers(0, 255))
def test_no_header_byte_can_be_changed_unnoticed(place, value):
    """Change one byte: the reply is refused or read as something else, except where the byte was the same."""
    changed = WHOLE[:place] + bytes([value]) + WHOLE[place + 1 :]
    try:
        reply = parse_reply(changed, 2)
    except MalformedReplyError:
        return
    assert (reply == parse_reply(WHOLE, 2)) == (changed == WHOLE)


@given(st.integers(0, len(WHOLE)), st.binary(min_size=1, max_size=8))
def test_no_byte_can_be_added_to_a_header(place, added):
    try:
        reply = parse_reply(WHOLE[:place] + added + WHOLE[place:], 2)
    except MalformedReplyError:
        return
    assert reply != parse_reply(WHOLE, 2)
