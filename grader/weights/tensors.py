"""What a model file says about its tensors, checked before a single number is read.

Nothing that a file claims is believed: names, sizes and places are held against the length of the file, so that no
array is ever made larger than the file has numbers for.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from itertools import pairwise
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from grader.attention.projection import Array
from grader.weights.errors import WeightsError
from grader.weights.storage import STORAGES, read_numbers

Bytes = NDArray[np.uint8]
Parameter = NDArray[np.float32]

MAX_RANK = 8
MATRIX = 2
MAX_NAME = 512
# More numbers than any disk holds; it also keeps a shape with a 0 in it from being one that NumPy cannot have.
MAX_NUMBERS = 2**48


@dataclass(frozen=True, slots=True)
class Tensor:
    """One tensor of a file: its numbers are `size` bytes from byte `start` on, stored as `storage` says."""

    name: str
    storage: str
    shape: tuple[int, ...]
    start: int
    size: int
    is_transposed: bool = False

    @property
    def end(self) -> int:
        """The first byte after it."""
        return self.start + self.size

    @property
    def n_rows(self) -> int:
        """How many rows it has as a matrix; 0 where it is none."""
        if len(self.shape) != MATRIX:
            return 0
        return self.shape[-1] if self.is_transposed else self.shape[0]


@dataclass(frozen=True, slots=True)
class ModelFile:
    """A model file, mapped into memory: its tensors by name, and what else it says about itself."""

    path: Path
    form: str
    content: Bytes
    tensors: Mapping[str, Tensor]
    metadata: Mapping[str, object]

    def parameter(self, name: str) -> Parameter:
        """The numbers of one tensor, in float32. Raises WeightsError for an unknown name or integers."""
        tensor = self.tensors.get(name)
        if tensor is None:
            raise WeightsError(f"{self.path.name} has no tensor {name!r}")
        numbers = read_numbers(tensor.storage, self.content[tensor.start : tensor.end])
        if numbers is None:
            raise WeightsError(f"{name} is stored as {tensor.storage}, which this program does not turn into numbers")
        shaped: Parameter = numbers.reshape(tensor.shape)
        return shaped.T if tensor.is_transposed else shaped

    def rows(self, name: str, rows: list[int]) -> Parameter:
        """Some rows of a matrix in float32, (len(rows), width), without reading the others.

        Raises WeightsError as `parameter` does, and for a row that the matrix does not have.
        """
        tensor = self.tensors[name]
        if not all(0 <= row < tensor.n_rows for row in rows):
            raise WeightsError(f"the vocabulary has more tokens than the {tensor.n_rows} rows of {name}")
        if tensor.is_transposed:
            return self.parameter(name)[rows]
        size = tensor.size // tensor.n_rows
        one = {
            row: replace(tensor, shape=tensor.shape[1:], start=tensor.start + row * size, size=size)
            for row in set(rows)
        }
        read = {row: replace(self, tensors={name: part}).parameter(name) for row, part in one.items()}
        return np.stack([read[row] for row in rows])


def checked_name(name: str) -> str:
    """The name itself. Raises WeightsError for one that could not be printed on one line."""
    if not name or len(name) > MAX_NAME or not name.isprintable():
        raise WeightsError(f"a tensor is named {name[:40]!a}, which is no printable name of 1 to {MAX_NAME} characters")
    return name


def stored_size(name: str, storage: str, shape: tuple[int, ...]) -> int:
    """How many bytes a tensor of this shape takes. Raises WeightsError for a shape that its storage cannot have."""
    if len(shape) > MAX_RANK:
        raise WeightsError(f"{name} has {len(shape)} dimensions; {MAX_RANK} are the most")
    if math.prod(max(size, 1) for size in shape) > MAX_NUMBERS:
        raise WeightsError(f"{name} would have more than {MAX_NUMBERS} numbers")
    form = STORAGES[storage]
    if form.block > 1 and (not shape or shape[-1] % form.block):
        raise WeightsError(
            f"{name} is stored as {storage}, in blocks of {form.block}, which its shape {shape} cannot be cut into"
        )
    # Python's integers do not overflow: a huge shape gives a huge number, which no file is long enough for.
    return math.prod(shape) // form.block * form.bytes_per_block


def index_tensors(tensors: Iterable[Tensor], first: int, length: int) -> dict[str, Tensor]:
    """Tensors by name. Raises WeightsError where two share a name or a byte, or one leaves bytes `first` to `length`."""
    by_name: dict[str, Tensor] = {}
    for tensor in tensors:
        if tensor.name in by_name:
            raise WeightsError(f"two tensors are named {tensor.name}")
        if not first <= tensor.start <= tensor.end <= length:
            raise WeightsError(
                f"{tensor.name} should lie at bytes {tensor.start} to {tensor.end}, but tensors have bytes {first} to {length}"
            )
        by_name[tensor.name] = tensor
    in_order = sorted((tensor for tensor in by_name.values() if tensor.size), key=lambda tensor: tensor.start)
    for before, after in pairwise(in_order):
        if after.start < before.end:
            raise WeightsError(f"{before.name} and {after.name} overlap at byte {after.start}")
    return by_name


def finite(name: str, numbers: Parameter) -> Array:
    """The numbers in double precision. Raises WeightsError where one of them is infinite or no number at all."""
    if not np.isfinite(numbers).all():
        raise WeightsError(f"{name} holds numbers that are infinite or not a number: no sentence can be run through it")
    exact: Array = numbers.astype(np.float64)
    return exact
