from __future__ import annotations

import struct

import pytest
from hypothesis import given
from hypothesis import strategies as st

from grader.sandbox import Fault, FaultStage, Frame, Raised, Returned, WrongKind
from grader.sandbox.wire import (
    FAULT,
    FRAME,
    KIND,
    KIND_END,
    KIND_LOADED,
    KIND_NOT_LOADED,
    KIND_RAISED,
    KIND_RETURNED,
    KIND_TOO_LARGE,
    KIND_WRONG_KIND,
    NO_CASE,
    RECORD,
    MalformedReplyError,
    Reply,
    parse_reply,
)
from tests.grader.sandbox.running import frame

ARRAY = FRAME.pack(b"QKVF", 1, 1, 0, 16, 2, 0, 0, 0) + struct.pack("<2d", 1, 2)
NAME = KIND.pack(4, 0) + b"list"
TWO = NAME + ARRAY


def record(kind: int, number: int, payload: bytes = b"", flag: int = 0, printed: int = 0) -> bytes:
    return RECORD.pack(b"QKVR", kind, flag, 0, number, len(payload), printed) + payload


def fault(
    stage: int = 2,
    kind: bytes = b"ValueError",
    message: bytes = b"no",
    trace: bytes = b"",
    arrays: bytes = b"",
    line: int = 3,
) -> bytes:
    texts = (kind, message, trace, arrays)
    return FAULT.pack(stage, 0, *map(len, texts), line) + b"".join(texts)


def pair(parts: int, *, layout: int = 0) -> bytes:
    return FRAME.pack(b"QKVF", 5, 0, layout, parts, 0, 0, 0, 0)


FORMS = (".", ".")
LOADED = record(KIND_LOADED, NO_CASE)
END_OF_TWO = record(KIND_END, 2)
WHOLE = (
    LOADED
    + record(KIND_RETURNED, 0, TWO, flag=1, printed=5)
    + record(KIND_RAISED, 1, fault(arrays=b"x (2, 3)"), printed=9)
    + END_OF_TWO
)


def test_a_whole_reply_is_read():
    expected_fault = Fault(FaultStage.CALL, "ValueError", "no", 3, "", "x (2, 3)")

    assert parse_reply(WHOLE, FORMS) == Reply(
        (Returned(frame(1, 2), "list", inputs_changed=True), Raised(expected_fault)), None, (0, 5, 9), is_complete=True
    )


def test_code_that_could_not_be_loaded_ends_the_reply():
    data = record(KIND_NOT_LOADED, NO_CASE, fault(stage=0, line=-1)) + record(KIND_END, NO_CASE)

    assert parse_reply(data, FORMS) == Reply(
        (), Fault(FaultStage.SYNTAX, "ValueError", "no", None, ""), (0,), is_complete=True
    )


def test_results_that_are_no_arrays():
    data = LOADED + record(KIND_WRONG_KIND, 0, b"NoneType") + record(KIND_TOO_LARGE, 1) + END_OF_TWO

    assert parse_reply(data, FORMS).outcomes == (WrongKind("NoneType"), WrongKind("too large"))


def test_a_reply_cut_between_records_is_incomplete_and_keeps_what_it_has():
    cut = WHOLE[: -len(END_OF_TWO)]

    assert parse_reply(cut, FORMS) == Reply(parse_reply(WHOLE, FORMS).outcomes, None, (0, 5, 9))
    assert parse_reply(b"", FORMS) == Reply()


# What a program may put in place of the two cases' records.
MALFORMED_CASES = {
    "a reserved field in use": RECORD.pack(b"QKVR", KIND_RETURNED, 0, 1, 0, len(TWO), 0) + TWO,
    "a flag that is no flag": record(KIND_RETURNED, 0, TWO, flag=2),
    "a flag where there is none": record(KIND_RAISED, 0, fault(), flag=1),
    "an unknown kind": record(8, 0, TWO),
    "kind zero": record(0, 0),
    "a case twice": record(KIND_RETURNED, 0, TWO) * 2,
    "a case left out": record(KIND_RETURNED, 1, TWO),
    "less printed than before": record(KIND_RETURNED, 0, TWO, printed=5) + record(KIND_RETURNED, 1, TWO, printed=4),
    "an end too early": record(KIND_RETURNED, 0, TWO) + END_OF_TWO,
    "an end of other cases": record(KIND_RETURNED, 0, TWO) + record(KIND_END, 1),
    "a load fault after a case": record(KIND_RETURNED, 0, TWO) + record(KIND_NOT_LOADED, NO_CASE, fault()),
    "loaded twice": LOADED,
    "loaded after a case": record(KIND_RETURNED, 0, TWO) + LOADED,
    "a length beyond the reply": RECORD.pack(b"QKVR", KIND_RETURNED, 0, 0, 0, 2**63, 0) + TWO,
    "too large, with a payload": record(KIND_TOO_LARGE, 0, b"x"),
    "a kind beyond its cap": record(KIND_WRONG_KIND, 0, b"x" * 101),
    "an unknown stage": record(KIND_RAISED, 0, fault(stage=5)),
    "line zero": record(KIND_RAISED, 0, fault(line=0)),
    "a message beyond its cap": record(KIND_RAISED, 0, fault(message=b"x" * 2001)),
    "a traceback beyond its cap": record(KIND_RAISED, 0, fault(trace=b"x" * 8001)),
    "arrays beyond their cap": record(KIND_RAISED, 0, fault(arrays=b"x" * 401)),
    "a fault shorter than it says": record(KIND_RAISED, 0, fault()[:-1]),
    "a fault longer than it says": record(KIND_RAISED, 0, fault() + b"x"),
    "half a fault header": record(KIND_RAISED, 0, b"\0" * 5),
}
MALFORMED = {
    "bytes after the end": WHOLE + b"\0",
    "a record after the end": WHOLE + record(KIND_RETURNED, 2, TWO),
    "half a header": WHOLE[:10],
    "half a payload": WHOLE[:60],
    "another magic": b"XXXX" + WHOLE[4:],
    "a case before the code was loaded": record(KIND_RETURNED, 0, TWO),
    "loaded, with a payload": record(KIND_LOADED, NO_CASE, b"x"),
    "loaded, as a case": record(KIND_LOADED, 0),
    "two load faults": record(KIND_NOT_LOADED, NO_CASE, fault()) * 2,
    "one case too many": WHOLE[: -len(END_OF_TWO)] + record(KIND_RETURNED, 2, TWO, printed=9),
    "an end with a payload": WHOLE[: -len(END_OF_TWO)] + record(KIND_END, 2, b"\0"),
    "an end with something printed": WHOLE[: -len(END_OF_TWO)] + record(KIND_END, 2, printed=9),
    "an end after nothing": END_OF_TWO,
    **{name: LOADED + data for name, data in MALFORMED_CASES.items()},
    "a pickle": b"\x80\x04\x95\x0b\x00\x00\x00\x00\x00\x00\x00\x8c\x02os\x94.",
    "an npy file": b"\x93NUMPY\x01\x00v\x00{'descr': '<f8'}",
}


@pytest.mark.parametrize("data", MALFORMED.values(), ids=MALFORMED.keys())
def test_malformed_replies_are_refused(data):
    with pytest.raises(MalformedReplyError):
        parse_reply(data, FORMS)


MALFORMED_VALUES = {
    "half a kind": b"\4\0",
    "a kind longer than the value": KIND.pack(2000, 0) + ARRAY,
    "a reserved field of the kind in use": KIND.pack(4, 1) + b"list" + ARRAY,
    "a short frame": NAME + FRAME.pack(b"QKVF", 1, 1, 0, 16, 2, 0, 0, 0)[:-1],
    "another magic": NAME + FRAME.pack(b"QKVG", 1, 1, 0, 16, 2, 0, 0, 0) + bytes(16),
    "no dtype": NAME + FRAME.pack(b"QKVF", 0, 0, 0, 0, 0, 0, 0, 0),
    "an unknown dtype": NAME + FRAME.pack(b"QKVF", 6, 1, 0, 16, 2, 0, 0, 0) + bytes(16),
    "a tuple for an array": NAME + pair(1) + ARRAY,
    "a layout": NAME + FRAME.pack(b"QKVF", 1, 1, 1, 16, 2, 0, 0, 0) + bytes(16),
    "an unused size in use": NAME + FRAME.pack(b"QKVF", 1, 1, 0, 16, 2, 1, 0, 0) + bytes(16),
    "five dimensions": NAME + FRAME.pack(b"QKVF", 1, 5, 0, 8, 1, 1, 1, 1) + bytes(8),
    "a shorter length": NAME + FRAME.pack(b"QKVF", 1, 1, 0, 8, 2, 0, 0, 0) + bytes(16),
    "a longer length": NAME + FRAME.pack(b"QKVF", 1, 1, 0, 24, 2, 0, 0, 0) + bytes(16),
    "another shape": NAME + FRAME.pack(b"QKVF", 1, 1, 0, 16, 3, 0, 0, 0) + bytes(16),
    "a product that wraps around": NAME + FRAME.pack(b"QKVF", 1, 2, 0, 0, 2**32, 2**32, 0, 0),
    "an endless empty array": NAME + FRAME.pack(b"QKVF", 1, 2, 0, 0, 2**63, 0, 0, 0),
    "an empty array of sizes beyond reason": NAME + FRAME.pack(b"QKVF", 1, 4, 0, 0, 0, *[2**32 - 2] * 3),
    "neither true nor false": NAME + FRAME.pack(b"QKVF", 4, 1, 0, 3, 3, 0, 0, 0) + b"\1\2\0",
    "two arrays for one": TWO + ARRAY,
}
MALFORMED_TUPLES = {
    "an array for a pair": TWO,
    "half a tuple": NAME + pair(2)[:-1],
    "three for two": NAME + pair(3) + ARRAY * 3,
    "two that are one": NAME + pair(2) + ARRAY,
    "a tuple with a layout": NAME + pair(2, layout=1) + ARRAY * 2,
    "two and a byte": NAME + pair(2) + ARRAY * 2 + b"\0",
    "a pair in a pair": NAME + pair(2) + ARRAY + pair(2) + ARRAY * 2,
}


def read_value(payload: bytes, form: str) -> Returned:
    outcome = parse_reply(LOADED + record(KIND_RETURNED, 0, payload), (form,)).outcomes[0]
    assert isinstance(outcome, Returned)
    return outcome


@pytest.mark.parametrize("payload", MALFORMED_VALUES.values(), ids=MALFORMED_VALUES.keys())
def test_malformed_values_are_refused(payload):
    with pytest.raises(MalformedReplyError):
        read_value(payload, ".")


@pytest.mark.parametrize("payload", MALFORMED_TUPLES.values(), ids=MALFORMED_TUPLES.keys())
def test_a_tuple_of_another_form_is_refused(payload):
    with pytest.raises(MalformedReplyError):
        read_value(payload, "(..)")


def test_a_boolean_array_and_a_single_number_are_read():
    booleans = FRAME.pack(b"QKVF", 4, 2, 0, 2, 1, 2, 0, 0) + b"\1\0"
    number = FRAME.pack(b"QKVF", 3, 0, 0, 8, 0, 0, 0, 0) + bytes(8)

    assert read_value(NAME + booleans, ".").frame == Frame("bool", (1, 2), b"\1\0")
    assert read_value(NAME + number, ".").frame == Frame("int64", (), bytes(8))


def test_an_array_and_a_pair_are_read_in_the_form_that_was_asked_for():
    value = read_value(NAME + pair(2) + ARRAY + pair(2) + ARRAY * 2, "(.(..))").value

    assert value == (frame(1, 2), (frame(1, 2), frame(1, 2)))


@given(st.binary(max_size=300))
def test_any_bytes_are_read_or_refused(data):
    try:
        parse_reply(data, FORMS)
    except MalformedReplyError:
        return


@given(st.integers(0, len(WHOLE) - 1), st.integers(0, 255))
def test_no_header_byte_can_be_changed_unnoticed(place, value):
    """Change one byte: the reply is refused or read as something else, except where the byte was the same."""
    changed = WHOLE[:place] + bytes([value]) + WHOLE[place + 1 :]
    try:
        reply = parse_reply(changed, FORMS)
    except MalformedReplyError:
        return
    assert (reply == parse_reply(WHOLE, FORMS)) == (changed == WHOLE)


@given(st.integers(0, len(WHOLE)), st.binary(min_size=1, max_size=8))
def test_no_byte_can_be_added_to_a_header(place, added):
    try:
        reply = parse_reply(WHOLE[:place] + added + WHOLE[place:], FORMS)
    except MalformedReplyError:
        return
    assert reply != parse_reply(WHOLE, FORMS)
