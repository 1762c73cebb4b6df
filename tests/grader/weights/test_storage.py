from __future__ import annotations

import base64
import json
import struct
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from grader.weights.storage import STORAGES, read_numbers

# Blocks of random bytes, and what the `gguf` package of GGML's authors makes of them.
BLOCKS = json.loads((Path(__file__).parents[2] / "fixtures" / "gguf_blocks.json").read_text(encoding="utf-8"))


def read(storage: str, stored: bytes) -> list[float]:
    numbers = read_numbers(storage, np.frombuffer(stored, np.uint8))
    assert numbers is not None
    return numbers.tolist()


@pytest.mark.parametrize("storage", BLOCKS)
def test_quantised_blocks_give_bit_for_bit_what_their_authors_read(storage: str) -> None:
    stored, expected = (base64.b64decode(BLOCKS[storage][key]) for key in ("bytes", "numbers"))

    found = read_numbers(storage, np.frombuffer(stored, np.uint8))

    assert found is not None
    assert found.tobytes() == expected


def test_every_quantised_storage_that_is_read_has_a_witness() -> None:
    quantised = {name for name, storage in STORAGES.items() if storage.block > 1 and storage.read}

    assert quantised == set(BLOCKS)


def test_q4_0_by_hand_as_the_lesson_has_it() -> None:
    block = struct.pack("<e", 0.5) + bytes([0x3C]) + bytes([0x88]) * 15

    numbers = read("Q4_0", block)

    assert (numbers[0], numbers[16]) == (2, -2.5)
    assert set(numbers[1:16]) == {0}


def test_q8_0_by_hand_as_the_lesson_has_it() -> None:
    block = struct.pack("<e", 0.25) + struct.pack("<32b", 3, -7, 0, 12, *[0] * 28)

    assert read("Q8_0", block)[:4] == [0.75, -1.75, 0, 3]


def test_bytes_of_the_lesson_are_its_number() -> None:
    assert read("F32", bytes.fromhex("1aa94c3d")) == [pytest.approx(0.04996596, abs=5e-9)]


@given(arrays(np.float32, 7, elements=st.floats(-1e4, 1e4, width=16)))
def test_half_precision_comes_back_as_it_was(numbers: np.ndarray) -> None:
    assert read("F16", numbers.astype("<f2").tobytes()) == numbers.tolist()


@given(arrays(np.float32, 7, elements=st.floats(-(2.0**100), 2.0**100, width=32)))
def test_bf16_is_the_upper_half_of_a_single(numbers: np.ndarray) -> None:
    upper = (numbers.view("<u4") >> 16).astype("<u2")

    assert read("BF16", upper.tobytes()) == (upper.astype("<u4") << 16).view("<f4").tolist()


def test_doubles_are_rounded_to_singles() -> None:
    assert read("F64", struct.pack("<2d", 0.1, -3)) == [float(np.float32(0.1)), -3]


def test_integers_are_no_parameters() -> None:
    assert read_numbers("I64", np.zeros(8, np.uint8)) is None
