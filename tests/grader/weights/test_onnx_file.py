from __future__ import annotations

from pathlib import Path

import numpy as np
import onnx
import pytest
from hypothesis import given
from hypothesis import strategies as st
from onnx import TensorProto, helper, numpy_helper

from grader.weights import WeightsError, open_model_file

W = np.arange(6, dtype=np.float32).reshape(2, 3)
NODE = helper.make_node("MatMul", ["x", "onnx::MatMul_7"], ["y"], name="/encoder/layer.0/attention/self/query/MatMul")


def write(path: Path, tensors: list[TensorProto], nodes: list[onnx.NodeProto] | None = None) -> Path:
    graph = helper.make_graph(nodes or [], "g", [], [], tensors)
    path.write_bytes(helper.make_model(graph).SerializeToString())
    return path


@pytest.mark.parametrize("dtype", [np.float32, np.float64, np.float16])
def test_initialisers_come_back_with_their_numbers(tmp_path: Path, dtype: type[np.floating]) -> None:
    model = open_model_file(write(tmp_path / "m.onnx", [numpy_helper.from_array(W.astype(dtype), "a.weight")]))

    assert model.parameter("a.weight").tolist() == W.tolist()


@pytest.mark.parametrize("code", [TensorProto.FLOAT, TensorProto.DOUBLE])
def test_numbers_in_typed_fields_come_back_too(tmp_path: Path, code: int) -> None:
    model = open_model_file(write(tmp_path / "m.onnx", [helper.make_tensor("a", code, [2, 3], W.ravel().tolist())]))

    assert model.parameter("a").tolist() == W.tolist()


def test_bf16_comes_back(tmp_path: Path) -> None:
    stored = (W.ravel().view("<u4") >> 16).astype("<u2").tobytes()
    tensor = helper.make_tensor("a", TensorProto.BFLOAT16, [2, 3], stored, raw=True)

    assert open_model_file(write(tmp_path / "m.onnx", [tensor])).parameter("a").tolist() == W.tolist()


def test_matrix_of_a_product_is_found_by_the_place_of_its_node_and_turned_round(tmp_path: Path) -> None:
    path = write(tmp_path / "m.onnx", [numpy_helper.from_array(W, "onnx::MatMul_7")], [NODE])

    model = open_model_file(path)

    assert model.parameter("encoder.layer.0.attention.self.query.weight").tolist() == W.T.tolist()
    assert model.parameter("onnx::MatMul_7").tolist() == W.tolist()


def test_whole_numbers_in_typed_fields_are_in_nobodys_way(tmp_path: Path) -> None:
    tensors = [helper.make_tensor("shape", TensorProto.INT64, [3], [1, 2, 3]), numpy_helper.from_array(W, "a")]

    model = open_model_file(write(tmp_path / "m.onnx", tensors))

    assert model.parameter("a").tolist() == W.tolist()
    with pytest.raises(WeightsError, match="stored as I64"):
        model.parameter("shape")


def changed(**fields: object) -> TensorProto:
    tensor = numpy_helper.from_array(W, "a")
    for name, value in fields.items():
        if name == "dims":
            del tensor.dims[:]
            tensor.dims.extend(value)  # type: ignore[arg-type]
        else:
            setattr(tensor, name, value)
    return tensor


def external() -> TensorProto:
    tensor = changed(data_location=TensorProto.EXTERNAL)
    tensor.external_data.add(key="location", value="../../etc/passwd")
    return tensor


HOSTILE = {
    "numbers in another file": ([external()], "in other files"),
    "shape too large for its bytes": ([changed(dims=[200, 300])], "should take 240000 bytes"),
    "negative shape": ([changed(dims=[-2, -3])], "more than"),
    "shape beyond all numbers": ([changed(dims=[2**60, 2**60])], "more than"),
    "too many dimensions": ([changed(dims=[1] * 9)], "9 dimensions"),
    "unknown type": ([changed(data_type=99)], "stored as type 99"),
    "texts": ([changed(data_type=TensorProto.STRING)], "stored as type 8"),
    "two of one name": ([changed(), changed()], "two tensors are named a"),
    "a name that moves the cursor": ([changed(name="\x1b[2J")], "no printable name"),
    "no numbers": ([changed(raw_data=b"")], "should take 24 bytes"),
}


@pytest.mark.parametrize(("tensors", "words"), HOSTILE.values(), ids=HOSTILE)
def test_broken_or_hostile_file_is_refused_in_one_sentence(
    tmp_path: Path, tensors: list[TensorProto], words: str
) -> None:
    with pytest.raises(WeightsError, match=r"^m\.onnx: ") as refusal:
        open_model_file(write(tmp_path / "m.onnx", tensors))

    assert words in str(refusal.value)


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (b"\x3a\xff\xff\xff\xff\xff\xff\xff\xff\x7f" + b"\0" * 8, "should have"),
        (b"\xff" * 40, "does not end"),
        (b"\x0f" * 12, "begins no field"),
        (b"\x08\x01" * 8, "holds no graph"),
        (b"\x3a\x00\x3a\x00" * 4, "holds no graph"),
        (b"\x3a\x05\x2a\x03\x42\x01\xff" + b"\x08\x01" * 4, "is not UTF-8"),
    ],
)
def test_bytes_that_are_no_onnx_are_refused(tmp_path: Path, content: bytes, words: str) -> None:
    path = tmp_path / "m.onnx"
    path.write_bytes(content)

    with pytest.raises(WeightsError, match=words):
        open_model_file(path)


def test_product_without_a_matrix_is_passed_over(tmp_path: Path) -> None:
    nodes = [
        helper.make_node("MatMul", [], [], name="/a/MatMul"),
        helper.make_node("MatMul", ["x", "y"], [], name="/b/MatMul"),
    ]

    assert dict(open_model_file(write(tmp_path / "m.onnx", [], nodes)).tensors) == {}


def field(number: int, content: bytes) -> bytes:
    """A field of bytes, as protobuf writes one of fewer than 128."""
    return bytes([number << 3 | 2, len(content)]) + content


NAME, RAW, FLOATS, FLOAT_TYPE = field(8, b"a"), field(9, W.tobytes()), field(4, W.tobytes()), b"\x10\x01"
SIZES = field(1, bytes([2, 3]))


def test_sizes_in_one_packed_field_are_read_too(tmp_path: Path) -> None:
    path = tmp_path / "m.onnx"
    path.write_bytes(field(7, field(5, SIZES + FLOAT_TYPE + NAME + RAW)))

    assert open_model_file(path).parameter("a").tolist() == W.tolist()


@pytest.mark.parametrize(
    ("tensor", "words"),
    [
        (SIZES + FLOAT_TYPE + NAME + RAW + FLOATS, "do not stand in one piece"),
        (SIZES + FLOAT_TYPE + NAME + b"\x25\0\0\0\0" * 6, "do not stand in one piece"),
        (SIZES + FLOAT_TYPE + RAW, "no printable name"),
        (field(1, b"\xff") + FLOAT_TYPE + NAME + RAW, "does not end"),
        (FLOAT_TYPE + NAME + b"\x4a\x7f", "should have 127 bytes"),
    ],
)
def test_numbers_in_pieces_and_cut_off_fields_are_refused(tmp_path: Path, tensor: bytes, words: str) -> None:
    path = tmp_path / "m.onnx"
    path.write_bytes(field(7, field(5, tensor)))

    with pytest.raises(WeightsError, match=words):
        open_model_file(path)


@given(st.binary(min_size=1, max_size=12), st.integers(0, 200))
def test_no_change_of_bytes_gets_past_the_checks(
    tmp_path_factory: pytest.TempPathFactory, noise: bytes, at: int
) -> None:
    path = write(tmp_path_factory.mktemp("fuzz") / "m.onnx", [numpy_helper.from_array(W, "onnx::MatMul_7")], [NODE])
    content = bytearray(path.read_bytes())
    content[at : at + len(noise)] = noise
    path.write_bytes(content)

    try:
        model = open_model_file(path)
    except WeightsError:
        return
    for tensor in model.tensors.values():
        assert tensor.end <= len(content)
