"""Safetensors: eight bytes of length, a JSON header of that length, then the numbers of all tensors.

The header says of each tensor its dtype, its shape and its two offsets into the numbers. The format allows neither
overlaps nor holes, so that a file holds nothing but what its header tells; a file with either is refused.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from itertools import pairwise
from pathlib import Path
from typing import Any

from grader.weights.errors import WeightsError
from grader.weights.storage import STORAGES
from grader.weights.tensors import Bytes, ModelFile, Tensor, checked_name, index_tensors, stored_size

LENGTH_BYTES = 8
# The header of the largest published model shards stays below 1 MiB.
MAX_HEADER_BYTES = 16 * 2**20
TENSOR_KEYS = {"dtype", "shape", "data_offsets"}


def read_safetensors(path: Path, content: Bytes) -> ModelFile:
    """Read the header, and check every word of it. Raises WeightsError."""
    header, first = _header(content)
    metadata = header.pop("__metadata__", {})
    if not isinstance(metadata, dict) or not all(isinstance(value, str) for value in metadata.values()):
        raise WeightsError("__metadata__ of the header must hold texts and nothing else")
    tensors = index_tensors(_tensors(header, first), first, len(content))
    _refuse_holes(tensors, first, len(content))
    return ModelFile(path, "safetensors", content, tensors, metadata)


def _header(content: Bytes) -> tuple[dict[str, Any], int]:
    """The header, and the byte where the numbers begin; JSON that begins with a brace, as asked before, is an object."""
    length = int.from_bytes(content[:LENGTH_BYTES].tobytes(), "little")
    first = LENGTH_BYTES + length
    if len(content) < LENGTH_BYTES or first > len(content):
        raise WeightsError(f"the header should have {length} bytes, but the file has only {len(content)}")
    if length > MAX_HEADER_BYTES:
        raise WeightsError(f"the header has {length} bytes; more than {MAX_HEADER_BYTES} are not read")
    try:
        text = content[LENGTH_BYTES:first].tobytes().decode("utf-8")
        header = json.loads(text, object_pairs_hook=_without_twins, parse_constant=_no_number)
    except UnicodeDecodeError as error:
        raise WeightsError(f"the header is not UTF-8: {error.reason} at byte {LENGTH_BYTES + error.start}") from None
    except RecursionError:
        raise WeightsError("the header is nested too deeply to be one") from None
    except ValueError as error:
        raise WeightsError(f"the header is not JSON: {error}") from None
    return header, first


def _without_twins(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """An object whose keys differ: of two entries of one name, readers would otherwise choose differently."""
    entries = dict(pairs)
    if len(entries) < len(pairs):
        names = [name for name, _ in pairs]
        twin = next(name for name in names if names.count(name) > 1)
        raise WeightsError(f"the header names {twin[:80]!a} twice")
    return entries


def _no_number(word: str) -> None:
    raise ValueError(f"{word} is no JSON")


def _tensors(header: Mapping[str, Any], first: int) -> Iterator[Tensor]:
    for name, entry in header.items():
        checked_name(name)
        if not isinstance(entry, dict) or entry.keys() != TENSOR_KEYS:
            raise WeightsError(f"{name} must have dtype, shape and data_offsets")
        storage, shape, offsets = entry["dtype"], _counts(entry["shape"]), _counts(entry["data_offsets"])
        if not isinstance(storage, str) or storage not in STORAGES or STORAGES[storage].block > 1:
            raise WeightsError(f"{name} is stored as {ascii(storage)[:40]}, which is no dtype of safetensors")
        if shape is None or offsets is None or len(offsets) != 2:  # noqa: PLR2004 -- where it begins and where it ends
            raise WeightsError(f"{name} must have whole numbers from 0 up as its shape and its two offsets")
        size = stored_size(name, storage, shape)
        if offsets[1] - offsets[0] != size:
            raise WeightsError(f"{name} should take {size} bytes for its shape, not {offsets[1] - offsets[0]}")
        yield Tensor(name, storage, shape, first + offsets[0], size)


def _counts(value: object) -> tuple[int, ...] | None:
    """Whole numbers from 0 up, or None: true and false are whole numbers to Python alone."""
    if isinstance(value, list) and all(type(number) is int and number >= 0 for number in value):
        return tuple(value)
    return None


def _refuse_holes(tensors: Mapping[str, Tensor], first: int, length: int) -> None:
    spans = sorted((tensor.start, tensor.end) for tensor in tensors.values() if tensor.size)
    for before, after in pairwise([(first, first), *spans, (length, length)]):
        if before[1] != after[0]:
            raise WeightsError(f"bytes {before[1]} to {after[0]} belong to no tensor")
