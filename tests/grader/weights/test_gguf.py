from __future__ import annotations

import struct
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from grader.weights import WeightsError, gguf, open_model_file
from tests.grader.weights.files import gguf_bytes, gguf_entry, gguf_tensor, gguf_text, write_gguf

ARRAYS = {"a.weight": np.arange(6, dtype=np.float32).reshape(2, 3), "b": np.array([0.5], np.float32)}
METADATA: dict[str, int | str] = {"general.architecture": "bert", "bert.attention.head_count": 2}


def test_tensors_and_metadata_come_back(tmp_path: Path) -> None:
    model = open_model_file(write_gguf(tmp_path / "m.gguf", ARRAYS, METADATA))

    assert model.metadata == METADATA
    assert {name: model.parameter(name).tolist() for name in model.tensors} == {
        n: a.tolist() for n, a in ARRAYS.items()
    }


def test_lists_of_metadata_come_back(tmp_path: Path) -> None:
    path = tmp_path / "m.gguf"
    nested = (
        gguf_text("nested") + struct.pack("<IIQ", 9, 9, 1) + struct.pack("<IQ", 8, 2) + gguf_text("x") + gguf_text("é")
    )
    path.write_bytes(gguf_bytes([gguf_entry("list", [1, 2, 3]), nested], []))

    assert open_model_file(path).metadata == {"list": [1, 2, 3], "nested": [["x", "é"]]}


def test_alignment_moves_the_numbers(tmp_path: Path) -> None:
    path = tmp_path / "m.gguf"
    head = gguf_bytes([gguf_entry("general.alignment", 64)], [gguf_tensor("a", [1], 0, 64)])
    path.write_bytes(head + b"\0" * (-len(head) % 64) + b"\0" * 64 + struct.pack("<f", 7))

    assert open_model_file(path).parameter("a").tolist() == [7]


def listed(depth: int) -> bytes:
    return gguf_text("k") + struct.pack("<I", 9) + struct.pack("<IQ", 9, 1) * depth + struct.pack("<IQ", 0, 0)


Q4_0 = 2
HOSTILE = {
    "only the magic": (b"GGUF\0\0", "the file ends at byte 6"),
    "another version": (gguf_bytes([], [], version=1), "GGUF version 1"),
    "big-endian": (b"GGUF" + struct.pack(">IQQ", 3, 0, 0), "versions 2 and 3, little-endian"),
    "more tensors than bytes": (
        b"GGUF" + struct.pack("<IQQ", 3, 2**63, 0),
        "too short for 9223372036854775808 tensors",
    ),
    "more entries than bytes": (b"GGUF" + struct.pack("<IQQ", 3, 0, 2**40), "too short"),
    "a text without end": (gguf_bytes([struct.pack("<Q", 2**60) + b"key12345"], []), "the file ends"),
    "a list without end": (
        gguf_bytes([gguf_text("k") + struct.pack("<IIQ", 9, 0, 2**50)], []),
        "cannot be in this file",
    ),
    "lists within lists": (gguf_bytes([listed(40)], []), "within 4 lists"),
    "a type of no value": (gguf_bytes([gguf_text("k") + struct.pack("<IQ", 99, 0)], []), "type 99"),
    "key not UTF-8": (gguf_bytes([struct.pack("<Q", 1) + b"\xff" + struct.pack("<II", 4, 0)], []), "not UTF-8"),
    "two keys of one name": (gguf_bytes([gguf_entry("k", 1)] * 2, []), "two metadata keys are 'k'"),
    "odd alignment": (gguf_bytes([gguf_entry("general.alignment", 3)], []), "power of two"),
    "alignment of zero": (gguf_bytes([gguf_entry("general.alignment", 0)], []), "power of two"),
    "alignment in words": (gguf_bytes([gguf_entry("general.alignment", "32")], []), "power of two"),
    "two tensors of one name": (
        gguf_bytes([], [gguf_tensor("a", [1], 0, 0), gguf_tensor("a", [1], 0, 32)], b"\0" * 64),
        "two tensors are named a",
    ),
    "a name that moves the cursor": (
        gguf_bytes([], [gguf_tensor("\x1b[2J", [1], 0, 0)], b"\0" * 4),
        "no printable name",
    ),
    "too many dimensions": (gguf_bytes([], [gguf_tensor("a", [1] * 5, 0, 0)], b"\0" * 32), "5 dimensions"),
    "a rank without end": (
        gguf_bytes([], [gguf_text("a") + struct.pack("<I", 2**32 - 1) + b"\0" * 12]),
        "4294967295 dimensions",
    ),
    "shape beyond all numbers": (gguf_bytes([], [gguf_tensor("a", [2**63, 2**63], 0, 0)]), "more than"),
    "past the end": (gguf_bytes([], [gguf_tensor("a", [100], 0, 0)], b"\0" * 32), "should lie at bytes"),
    "offset past the end": (gguf_bytes([], [gguf_tensor("a", [1], 0, 2**63)], b"\0" * 32), "should lie at bytes"),
    "crooked offset": (gguf_bytes([], [gguf_tensor("a", [1], 0, 4)], b"\0" * 32), "no multiple of 32"),
    "overlap": (
        gguf_bytes([], [gguf_tensor("a", [16], 0, 0), gguf_tensor("b", [1], 0, 32)], b"\0" * 64),
        "a and b overlap",
    ),
    "half a block": (gguf_bytes([], [gguf_tensor("a", [16, 2], Q4_0, 0)], b"\0" * 32), "blocks of 32"),
    "blocks of nothing": (gguf_bytes([], [gguf_tensor("a", [], Q4_0, 0)], b"\0" * 32), "blocks of 32"),
    "unknown storage": (gguf_bytes([], [gguf_tensor("a", [1], 4, 0)], b"\0" * 32), "stored as type 4"),
}


@pytest.mark.parametrize(("content", "words"), HOSTILE.values(), ids=HOSTILE)
def test_broken_or_hostile_file_is_refused_in_one_sentence(tmp_path: Path, content: bytes, words: str) -> None:
    path = tmp_path / "m.gguf"
    path.write_bytes(content)

    with pytest.raises(WeightsError, match=r"^m\.gguf: ") as refusal:
        open_model_file(path)

    assert words in str(refusal.value)
    assert str(refusal.value).isprintable()


def test_metadata_of_millions_of_values_is_not_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(gguf, "MAX_VALUES", 3)
    path = tmp_path / "m.gguf"

    path.write_bytes(gguf_bytes([gguf_entry("k", [1, 2, 3])], []))
    with pytest.raises(WeightsError, match="a list of 3 values"):
        open_model_file(path)

    path.write_bytes(gguf_bytes([gguf_entry(key, 1) for key in "abcd"], []))
    with pytest.raises(WeightsError, match="more than 3 values"):
        open_model_file(path)


@given(st.binary(min_size=1, max_size=12), st.integers(4, 200))
def test_no_change_of_bytes_gets_past_the_checks(
    tmp_path_factory: pytest.TempPathFactory, noise: bytes, at: int
) -> None:
    path = write_gguf(tmp_path_factory.mktemp("fuzz") / "m.gguf", ARRAYS, METADATA)
    content = bytearray(path.read_bytes())
    content[at : at + len(noise)] = noise
    path.write_bytes(content)

    try:
        model = open_model_file(path)
    except WeightsError:
        return
    for tensor in model.tensors.values():
        assert tensor.end <= len(content)
