"""ONNX: one protobuf message, of which the initialisers of the graph are the stored tensors.

Protobuf is a list of fields: a number, a wire type, and either a number or so many bytes. That much is read here, in
place, so that the numbers stay in the file until they are asked for.

An exporter from PyTorch turns `x W.T` into a product with W.T itself and gives that matrix a name that says nothing,
like onnx::MatMul_1234. The node keeps the place in the model as its own name, "/encoder/layer.0/…/query/MatMul", so
such a matrix is found under that name too, as the transpose of what is stored.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from grader.weights.errors import WeightsError
from grader.weights.storage import STORAGES
from grader.weights.tensors import Bytes, ModelFile, Tensor, checked_name, index_tensors, stored_size

VARINT, EIGHT_BYTES, LENGTH, FOUR_BYTES = 0, 1, 2, 5
VARINT_BITS = 64
GRAPH, NODE, INITIALIZER = 7, 1, 5
NODE_INPUT, NODE_NAME, NODE_OPERATION = 1, 3, 4
DIMS, DATA_TYPE, FLOAT_DATA, NAME, RAW_DATA, DOUBLE_DATA, EXTERNAL_DATA, DATA_LOCATION = 1, 2, 4, 8, 9, 10, 13, 14
STORAGE_BY_CODE = {
    1: "F32", 2: "U8", 3: "I8", 4: "U16", 5: "I16", 6: "I32", 7: "I64", 9: "BOOL", 10: "F16", 11: "F64", 12: "U32",
    13: "U64", 16: "BF16",
}  # fmt: skip
# The same numbers may stand in a typed field instead of the raw one, byte for byte alike.
TYPED_FIELD = {"F32": FLOAT_DATA, "F64": DOUBLE_DATA}


def read_onnx(path: Path, content: Bytes) -> ModelFile:
    """Read the graph's nodes and initialisers, and check every word of them. Raises WeightsError."""
    message = _Message(content, 0, len(content))
    graphs = [span for number, span in message.parts() if number == GRAPH]
    if len(graphs) != 1:
        raise WeightsError("this is no ONNX file: it holds no graph")
    parts = list(graphs[0].parts())
    tensors = index_tensors((_read_tensor(span) for number, span in parts if number == INITIALIZER), 0, len(content))
    for tensor in _named_by_nodes([span for number, span in parts if number == NODE], tensors):
        tensors.setdefault(tensor.name, tensor)
    return ModelFile(path, "ONNX", content, tensors, {})


@dataclass(slots=True)
class _Message:
    """The bytes `at` to `end` of the file, a list of fields."""

    content: Bytes
    at: int
    end: int

    def parts(self) -> Iterator[tuple[int, _Message]]:
        """The fields that are bytes: messages, texts, raw numbers."""
        for number, value in self.fields():
            if isinstance(value, _Message):
                yield number, value

    def fields(self) -> Iterator[tuple[int, int | _Message]]:
        """Every field: its number, with a whole number or the place of its bytes."""
        at = self.at
        while at < self.end:
            key, at = self._varint(at)
            number, wire = key >> 3, key & 7
            if wire == VARINT:
                value, at = self._varint(at)
                yield number, value
                continue
            size, at = self._size(wire, at)
            if size > self.end - at:
                raise WeightsError(f"a field at byte {at} should have {size} bytes, but only {self.end - at} are left")
            yield number, _Message(self.content, at, at + size)
            at += size

    def text(self) -> str:
        """The bytes as text."""
        try:
            return self.content[self.at : self.end].tobytes().decode("utf-8")
        except UnicodeDecodeError as error:
            raise WeightsError(f"a name at byte {self.at} is not UTF-8: {error.reason}") from None

    def varints(self) -> list[int]:
        """The bytes as whole numbers, one behind the other."""
        numbers, at = [], self.at
        while at < self.end:
            number, at = self._varint(at)
            numbers.append(number)
        return numbers

    def _size(self, wire: int, at: int) -> tuple[int, int]:
        if wire == LENGTH:
            return self._varint(at)
        if wire in {EIGHT_BYTES, FOUR_BYTES}:
            return (8 if wire == EIGHT_BYTES else 4), at
        raise WeightsError(f"this is no ONNX file: byte {at} begins no field of protobuf")

    def _varint(self, at: int) -> tuple[int, int]:
        """A whole number in groups of seven bits, the lowest first."""
        number = 0
        for shift in range(0, VARINT_BITS + 1, 7):
            if at >= self.end:
                break
            byte = int(self.content[at])
            at += 1
            number |= (byte & 127) << shift
            if byte < 128:  # noqa: PLR2004 -- the eighth bit says that another group follows
                return number, at
        raise WeightsError(f"a whole number of protobuf does not end by byte {at}")


@dataclass(slots=True)
class _Entry:
    """What an initialiser says of itself."""

    name: str = ""
    code: int = 0
    dims: list[int] = field(default_factory=list)
    numbers: list[tuple[int, _Message]] = field(default_factory=list)
    is_elsewhere: bool = False


def _read_tensor(message: _Message) -> Tensor:
    entry = _read_entry(message)
    name, storage = checked_name(entry.name), STORAGE_BY_CODE.get(entry.code)
    if storage is None:
        raise WeightsError(f"{name} is stored as type {entry.code}; read are {', '.join(STORAGE_BY_CODE.values())}")
    shape = tuple(entry.dims)
    size = stored_size(name, storage, shape)
    places = [span for number, span in entry.numbers if number in {RAW_DATA, TYPED_FIELD.get(storage)}]
    if len(places) != 1:
        # Whole numbers in typed fields are of no use here, but their names may be.
        if not STORAGES[storage].read or not size:
            return Tensor(name, storage, (0,), message.end, 0)
        raise WeightsError(f"the numbers of {name} do not stand in one piece in this file")
    span = places[0]
    if span.end - span.at != size:
        raise WeightsError(f"{name} should take {size} bytes for its shape {shape}, not {span.end - span.at}")
    return Tensor(name, storage, shape, span.at, size)


def _read_entry(message: _Message) -> _Entry:
    entry = _Entry()
    for number, value in message.fields():
        if isinstance(value, int):
            _note_number(entry, number, value)
        elif number == DIMS:
            entry.dims += value.varints()
        elif number == NAME:
            entry.name = value.text()
        else:
            entry.numbers.append((number, value))
    if entry.is_elsewhere or any(number == EXTERNAL_DATA for number, _ in entry.numbers):
        raise WeightsError("this ONNX file keeps its numbers in other files; save it with all of them inside")
    return entry


def _note_number(entry: _Entry, number: int, value: int) -> None:
    if number == DIMS:
        entry.dims.append(value)
    elif number == DATA_TYPE:
        entry.code = value
    elif number == DATA_LOCATION:
        entry.is_elsewhere = value != 0


def _named_by_nodes(nodes: list[_Message], tensors: dict[str, Tensor]) -> Iterator[Tensor]:
    for node in nodes:
        parts = list(node.parts())
        words = {number: span.text() for number, span in parts if number in {NODE_NAME, NODE_OPERATION}}
        name = words.get(NODE_NAME, "")
        if words.get(NODE_OPERATION) != "MatMul" or not name.endswith("/MatMul"):
            continue
        inputs = [span.text() for number, span in parts if number == NODE_INPUT]
        stored = tensors.get(inputs[-1]) if inputs else None
        if stored is not None and len(stored.shape) == 2:  # noqa: PLR2004 -- a matrix
            place = checked_name(name.removesuffix("/MatMul").strip("/").replace("/", "."))
            yield Tensor(f"{place}.weight", stored.storage, stored.shape, stored.start, stored.size, is_transposed=True)
