from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from grader.weights import WeightsError, open_model_file
from tests.grader.weights.files import safetensors_bytes, write_safetensors

ARRAYS = {"a.weight": np.arange(6, dtype=np.float32).reshape(2, 3), "b": np.array([0.5], np.float32)}


def entry(begin: int, end: int, shape: list[object], dtype: object = "F32") -> dict[str, object]:
    return {"dtype": dtype, "shape": shape, "data_offsets": [begin, end]}


def test_tensors_come_back_with_their_names_shapes_and_numbers(tmp_path: Path) -> None:
    model = open_model_file(write_safetensors(tmp_path / "m.safetensors", ARRAYS))

    assert list(model.tensors) == list(ARRAYS)
    assert {name: model.parameter(name).tolist() for name in ARRAYS} == {n: a.tolist() for n, a in ARRAYS.items()}
    assert model.metadata == {"format": "pt"}


def test_tensor_without_numbers_is_one(tmp_path: Path) -> None:
    path = tmp_path / "m.safetensors"
    path.write_bytes(safetensors_bytes({"none": entry(0, 0, [0, 3])}))

    assert open_model_file(path).parameter("none").shape == (0, 3)


NUMBERS = b"\0" * 8
TWINS = b'{"a": ' + json.dumps(entry(0, 8, [2])).encode() + b', "a": ' + json.dumps(entry(0, 8, [2])).encode() + b"}"
HOSTILE = {
    "header longer than the file": ((10**6).to_bytes(8, "little") + b"{}", "should have 1000000 bytes"),
    "header as long as memory": (b"\xff" * 8 + b"{}", "should have 18446744073709551615 bytes"),
    "no header": (b"\0" * 8 + b"{", "is not JSON"),
    "header of another kind": (safetensors_bytes(b"{1}"), "is not JSON"),
    "a header without entries of names": (safetensors_bytes(b"{}")[:8] + b"{", "should have 2 bytes"),
    "not UTF-8": (safetensors_bytes(b'{"\xff": 1}'), "is not UTF-8: invalid start byte at byte 10"),
    "nested deeply": (safetensors_bytes(b'{"a":' + b"[" * 200_000 + b"]" * 200_000 + b"}"), "nested too deeply"),
    "NaN": (safetensors_bytes(b'{"a": NaN}'), "NaN is no JSON"),
    "a number of a million digits": (safetensors_bytes(b'{"a": ' + b"9" * 10**6 + b"}"), "is not JSON"),
    "two of one name": (safetensors_bytes(TWINS, NUMBERS), "names 'a' twice"),
    "a name that moves the cursor": (safetensors_bytes({"\x1b[2J": entry(0, 8, [2])}, NUMBERS), "no printable name"),
    "a name without end": (safetensors_bytes({"n" * 600: entry(0, 8, [2])}, NUMBERS), "no printable name"),
    "no name": (safetensors_bytes({"": entry(0, 8, [2])}, NUMBERS), "no printable name"),
    "past the end": (safetensors_bytes({"a": entry(0, 800, [200])}, NUMBERS), "should lie at bytes"),
    "negative offset": (safetensors_bytes({"a": entry(-8, 0, [2])}, NUMBERS), "whole numbers from 0 up"),
    "end before begin": (safetensors_bytes({"a": entry(8, 0, [2])}, NUMBERS), "should take 8 bytes"),
    "shape too large for its bytes": (safetensors_bytes({"a": entry(0, 8, [2**40])}, NUMBERS), "should take"),
    "shape beyond all numbers": (safetensors_bytes({"a": entry(0, 8, [2**62, 2**62])}, NUMBERS), "more than"),
    "shape that hides behind a zero": (safetensors_bytes({"a": entry(0, 0, [0, 2**62, 2**62])}), "more than"),
    "too many dimensions": (safetensors_bytes({"a": entry(0, 4, [1] * 9)}, b"\0" * 4), "9 dimensions"),
    "negative shape": (safetensors_bytes({"a": entry(0, 8, [-1, -2])}, NUMBERS), "whole numbers from 0 up"),
    "a truth as a size": (safetensors_bytes({"a": entry(0, 8, [True, 2])}, NUMBERS), "whole numbers from 0 up"),
    "half a size": (safetensors_bytes({"a": entry(0, 8, [2.0])}, NUMBERS), "whole numbers from 0 up"),
    "three offsets": (
        safetensors_bytes({"a": {"dtype": "F32", "shape": [2], "data_offsets": [0, 8, 9]}}, NUMBERS),
        "two offsets",
    ),
    "unknown dtype": (safetensors_bytes({"a": entry(0, 8, [2], "F33")}, NUMBERS), "no dtype of safetensors"),
    "a quantised dtype": (safetensors_bytes({"a": entry(0, 18, [32], "Q4_0")}, b"\0" * 18), "no dtype of safetensors"),
    "a list as dtype": (safetensors_bytes({"a": entry(0, 8, [2], ["F32"])}, NUMBERS), "no dtype of safetensors"),
    "a key too many": (safetensors_bytes({"a": {**entry(0, 8, [2]), "more": 1}}, NUMBERS), "must have dtype"),
    "overlap": (safetensors_bytes({"a": entry(0, 8, [2]), "b": entry(4, 8, [1])}, NUMBERS), "a and b overlap"),
    "a hole": (safetensors_bytes({"a": entry(4, 8, [1])}, NUMBERS), "belong to no tensor"),
    "something behind": (safetensors_bytes({"a": entry(0, 4, [1])}, NUMBERS), "belong to no tensor"),
    "metadata of another kind": (safetensors_bytes({"__metadata__": {"a": 1}}), "must hold texts"),
}


@pytest.mark.parametrize(("content", "words"), HOSTILE.values(), ids=HOSTILE)
def test_broken_or_hostile_file_is_refused_in_one_sentence(tmp_path: Path, content: bytes, words: str) -> None:
    path = tmp_path / "m.safetensors"
    path.write_bytes(content)

    with pytest.raises(WeightsError, match=r"^m\.safetensors: ") as refusal:
        open_model_file(path)

    assert words in str(refusal.value)
    assert str(refusal.value).isprintable()


def test_header_of_a_gigabyte_is_not_read(tmp_path: Path) -> None:
    path = tmp_path / "m.safetensors"
    with path.open("wb") as file:
        file.write((2**30).to_bytes(8, "little") + b"{")
        file.truncate(2**30 + 100)  # sparse: it takes no room

    with pytest.raises(WeightsError, match="more than 16777216 are not read"):
        open_model_file(path)


@given(st.binary(max_size=60), st.integers(0, 200))
def test_no_change_of_bytes_gets_past_the_checks(
    tmp_path_factory: pytest.TempPathFactory, noise: bytes, at: int
) -> None:
    path = write_safetensors(tmp_path_factory.mktemp("fuzz") / "m.safetensors", ARRAYS)
    content = bytearray(path.read_bytes())
    content[at : at + len(noise)] = noise
    path.write_bytes(content)

    try:
        model = open_model_file(path)
    except WeightsError:
        return
    for tensor in model.tensors.values():
        assert tensor.end <= len(content)


@pytest.mark.parametrize("content", [b"", b"short", b"PK\x03\x04 an archive of pickles"])
def test_file_of_no_known_form_is_refused(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "model.bin"
    path.write_bytes(content)

    with pytest.raises(WeightsError, match=r"model\.bin"):
        open_model_file(path)


def test_missing_file_and_folder_are_refused(tmp_path: Path) -> None:
    for path in (tmp_path / "nothing.safetensors", tmp_path):
        with pytest.raises(WeightsError, match="cannot be read"):
            open_model_file(path)


def test_integers_and_unknown_names_are_refused_as_parameters(tmp_path: Path) -> None:
    path = tmp_path / "m.safetensors"
    path.write_bytes(safetensors_bytes({"ids": entry(0, 8, [1], "I64")}, NUMBERS))
    model = open_model_file(path)

    with pytest.raises(WeightsError, match="ids is stored as I64"):
        model.parameter("ids")
    with pytest.raises(WeightsError, match="has no tensor 'other'"):
        model.parameter("other")
