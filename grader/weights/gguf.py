"""GGUF: a header of counts, metadata of typed values, the table of tensors, then their numbers, each at an aligned place.

Every length and every count stands in front of what it counts. Each is held against the bytes that are left before
anything is read by it.
"""

from __future__ import annotations

import struct
from collections.abc import Callable
from pathlib import Path
from typing import Any

from grader.weights.errors import WeightsError
from grader.weights.storage import STORAGES
from grader.weights.tensors import Bytes, ModelFile, Tensor, checked_name, index_tensors, stored_size

MAGIC = b"GGUF"
VERSIONS = (2, 3)
MAX_RANK = 4
MAX_ALIGNMENT = 2**20
MAX_DEPTH = 4
# A vocabulary with its scores, types and merges has about a million entries.
MAX_VALUES = 4_000_000
SMALLEST_ENTRY, SMALLEST_TENSOR = 13, 24

STORAGE_BY_CODE = {
    0: "F32", 1: "F16", 2: "Q4_0", 3: "Q4_1", 6: "Q5_0", 7: "Q5_1", 8: "Q8_0", 9: "Q8_1", 10: "Q2_K", 11: "Q3_K",
    12: "Q4_K", 13: "Q5_K", 14: "Q6_K", 15: "Q8_K", 24: "I8", 25: "I16", 26: "I32", 27: "I64", 28: "F64", 30: "BF16",
}  # fmt: skip
NUMBER_BY_CODE = {0: "<B", 1: "<b", 2: "<H", 3: "<h", 4: "<I", 5: "<i", 6: "<f", 7: "<?", 10: "<Q", 11: "<q", 12: "<d"}
TEXT, LIST = 8, 9


def read_gguf(path: Path, content: Bytes) -> ModelFile:
    """Read metadata and table, and check every word of them. Raises WeightsError."""
    cursor = _Cursor(content)
    n_tensors, n_entries = _counts(cursor)
    metadata = _read_table(n_entries, lambda: (cursor.text("a key of the metadata"), cursor.value()), "metadata keys")
    alignment = metadata.get("general.alignment", 32)
    if not isinstance(alignment, int) or not 0 < alignment <= MAX_ALIGNMENT or alignment & (alignment - 1):
        raise WeightsError(f"general.alignment is {alignment!r}; a power of two up to {MAX_ALIGNMENT} is needed")
    described = [_read_tensor(cursor, alignment) for _ in range(n_tensors)]
    first = -(-cursor.at // alignment) * alignment
    tensors = [Tensor(name, storage, shape, first + offset, size) for name, storage, shape, offset, size in described]
    return ModelFile(path, "GGUF", content, index_tensors(tensors, first, len(content)), metadata)


def _counts(cursor: _Cursor) -> tuple[int, int]:
    cursor.take(len(MAGIC))
    version = cursor.number("<I")
    if version not in VERSIONS:
        raise WeightsError(f"this is GGUF version {version}; versions 2 and 3, little-endian, are read")
    n_tensors, n_entries = cursor.number("<Q"), cursor.number("<Q")
    if n_tensors * SMALLEST_TENSOR + n_entries * SMALLEST_ENTRY > cursor.left:
        raise WeightsError(f"the file is too short for {n_tensors} tensors and {n_entries} entries of metadata")
    return n_tensors, n_entries


def _read_table(count: int, read: Callable[[], tuple[str, Any]], what: str) -> dict[str, Any]:
    table: dict[str, Any] = {}
    for _ in range(count):
        key, value = read()
        if key in table:
            raise WeightsError(f"two {what} are {key[:80]!a}")
        table[key] = value
    return table


def _read_tensor(cursor: _Cursor, alignment: int) -> tuple[str, str, tuple[int, ...], int, int]:
    name = checked_name(cursor.text("the name of a tensor"))
    rank = cursor.number("<I")
    if rank > MAX_RANK:
        raise WeightsError(f"{name} has {rank} dimensions; GGUF has {MAX_RANK} at the most")
    # The file names the size that runs fastest first; NumPy names it last.
    shape = tuple(cursor.number("<Q") for _ in range(rank))[::-1]
    code, offset = cursor.number("<I"), cursor.number("<Q")
    storage = STORAGE_BY_CODE.get(code)
    if storage is None:
        known = ", ".join(known for known in STORAGE_BY_CODE.values() if STORAGES[known].read)
        raise WeightsError(f"{name} is stored as type {code}; read are {known}")
    if offset % alignment:
        raise WeightsError(f"{name} begins at offset {offset}, which is no multiple of {alignment}")
    return name, storage, shape, offset, stored_size(name, storage, shape)


class _Cursor:
    """Reads on from byte `at`, and never past the end."""

    def __init__(self, content: Bytes) -> None:
        self.content = content
        self.at = 0
        self.values_left = MAX_VALUES

    @property
    def left(self) -> int:
        return len(self.content) - self.at

    def take(self, size: int) -> bytes:
        if size > self.left:
            raise WeightsError(
                f"the file ends at byte {len(self.content)}, within something of {size} bytes at {self.at}"
            )
        taken = self.content[self.at : self.at + size].tobytes()
        self.at += size
        return taken

    def number(self, form: str) -> Any:  # noqa: ANN401 -- `form` says which number
        return struct.unpack(form, self.take(struct.calcsize(form)))[0]

    def text(self, what: str) -> str:
        at = self.at
        try:
            return self.take(self.number("<Q")).decode("utf-8")
        except UnicodeDecodeError as error:
            raise WeightsError(f"{what} at byte {at} is not UTF-8: {error.reason}") from None

    def value(self, depth: int = 0) -> object:
        return self._of_type(self.number("<I"), depth)

    def _of_type(self, code: int, depth: int) -> object:
        self.values_left -= 1
        if self.values_left < 0:
            raise WeightsError(f"the metadata has more than {MAX_VALUES} values")
        if code in NUMBER_BY_CODE:
            return self.number(NUMBER_BY_CODE[code])
        if code == TEXT:
            return self.text("a text of the metadata")
        if code == LIST and depth < MAX_DEPTH:
            return self._list(depth)
        raise WeightsError(f"the metadata has a value of type {code} within {depth} lists, which GGUF does not know")

    def _list(self, depth: int) -> object:
        code, count = self.number("<I"), self.number("<Q")
        form = NUMBER_BY_CODE.get(code)
        smallest = struct.calcsize(form) if form else LENGTH_OF_LENGTH
        if count > min(self.left // smallest, self.values_left):
            raise WeightsError(f"a list of {count} values at byte {self.at} cannot be in this file")
        if form:
            self.values_left -= count
            return list(struct.unpack(f"<{count}{form[1]}", self.take(count * smallest)))
        return [self._of_type(code, depth + 1) for _ in range(count)]


LENGTH_OF_LENGTH = 8
