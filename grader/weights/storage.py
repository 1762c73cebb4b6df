"""How numbers are stored in model files: plain ones of several widths, and quantised blocks.

A quantised block keeps one or two half-precision numbers, a scale d and perhaps an offset m, and a small integer for
each of its numbers. The layouts are those of GGML: 32 numbers a block, or 256 with scales for 8 or 16 groups within.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Bytes = NDArray[np.uint8]
Floats = NDArray[np.float32]


@dataclass(frozen=True, slots=True)
class Storage:
    """`block` numbers take `bytes_per_block` bytes; `read` turns whole blocks into numbers, if this program can."""

    block: int
    bytes_per_block: int
    read: Callable[[Bytes], Floats] | None = None


def read_numbers(storage: str, content: Bytes) -> Floats | None:
    """All numbers of a tensor in the order of the file, or None where the storage is no kind of real numbers we read.

    What is too large for single precision comes out as infinite.
    """
    form = STORAGES[storage]
    with np.errstate(over="ignore", invalid="ignore"):
        return None if form.read is None else form.read(content.reshape(-1, form.bytes_per_block)).reshape(-1)


def read_f64(blocks: Bytes) -> Floats:
    """Double precision, rounded to single: (n, 8) bytes -> (n,)."""
    return _as("<f8", blocks)


def read_f32(blocks: Bytes) -> Floats:
    """Single precision, as it is."""
    return _as("<f4", blocks)


def read_f16(blocks: Bytes) -> Floats:
    """Half precision."""
    return _as("<f2", blocks)


def read_bf16(blocks: Bytes) -> Floats:
    """The upper half of a single-precision number; the lower half was left out, and comes back as zeros."""
    upper = np.ascontiguousarray(blocks).view("<u2").astype("<u4")
    return (upper << 16).view("<f4")


def read_q8_0(blocks: Bytes) -> Floats:
    """Gives d · z with z from −128 to 127: (n, 34) bytes -> (n, 32)."""
    return _half(blocks, 0) * _signed(blocks[:, 2:])


def read_q4_0(blocks: Bytes) -> Floats:
    """Gives d · (z − 8) with z from 0 to 15: (n, 18) bytes -> (n, 32)."""
    return _half(blocks, 0) * (_nibbles(blocks[:, 2:]) - 8)


def read_q4_1(blocks: Bytes) -> Floats:
    """Gives d · z + m with z from 0 to 15: (n, 20) bytes -> (n, 32)."""
    return _half(blocks, 0) * _nibbles(blocks[:, 4:]) + _half(blocks, 2)


def read_q5_0(blocks: Bytes) -> Floats:
    """Gives d · (z − 16) with z from 0 to 31, whose fifth bits stand apart: (n, 22) bytes -> (n, 32)."""
    return _half(blocks, 0) * (_nibbles(blocks[:, 6:]) + 16 * _bits(blocks[:, 2:6]) - 16)


def read_q5_1(blocks: Bytes) -> Floats:
    """Gives d · z + m with z from 0 to 31: (n, 24) bytes -> (n, 32)."""
    return _half(blocks, 0) * (_nibbles(blocks[:, 8:]) + 16 * _bits(blocks[:, 4:8])) + _half(blocks, 2)


def read_q4_k(blocks: Bytes) -> Floats:
    """Eight groups of 32: d · s_g · z − m · o_g with z from 0 to 15: (n, 144) bytes -> (n, 256)."""
    return _scale_and_offset(blocks, _nibbles(blocks[:, 16:].reshape(-1, 32)).reshape(-1, 8, 32))


def read_q5_k(blocks: Bytes) -> Floats:
    """The same with z from 0 to 31; bit g of the 32 bytes in front is the fifth bit of group g: (n, 176) bytes."""
    fifth = blocks[:, None, 16:48] >> np.arange(8, dtype=np.uint8)[:, None] & 1  # (n, 8, 32)
    low = _nibbles(blocks[:, 48:].reshape(-1, 32)).reshape(-1, 8, 32)
    return _scale_and_offset(blocks, low + 16 * fifth.astype(np.float32))


def read_q6_k(blocks: Bytes) -> Floats:
    """Sixteen groups of 16: d · s_g · (z − 32) with z from 0 to 63: (n, 210) bytes -> (n, 256)."""
    low = blocks[:, :128].reshape(-1, 2, 1, 64) >> np.array([0, 4], np.uint8)[:, None] & 15  # (n, 2, 2, 64)
    high = blocks[:, 128:192].reshape(-1, 2, 1, 32) >> np.array([0, 2, 4, 6], np.uint8)[:, None] & 3  # (n, 2, 4, 32)
    z = low.reshape(-1, 16, 16) | high.reshape(-1, 16, 16) << 4
    scales = _half(blocks, 208) * _signed(blocks[:, 192:208])  # (n, 16)
    numbers: Floats = scales[:, :, None] * (z.astype(np.float32) - 32)
    return numbers


def _as(dtype: str, blocks: Bytes) -> Floats:
    return np.ascontiguousarray(blocks).view(dtype).astype(np.float32)


def _half(blocks: Bytes, at: int) -> Floats:
    """The half-precision number at a place of every block: (n, 1)."""
    return _as("<f2", blocks[:, at : at + 2])


def _signed(quants: Bytes) -> Floats:
    return quants.view(np.int8).astype(np.float32)


def _nibbles(packed: Bytes) -> Floats:
    """The lower halves of all bytes, then the upper halves: (n, b) -> (n, 2b)."""
    return np.concatenate([packed & 15, packed >> 4], axis=1).astype(np.float32)


def _bits(packed: Bytes) -> Floats:
    """Bit by bit from the lowest of the first byte: (n, b) -> (n, 8b)."""
    return np.unpackbits(packed, axis=1, bitorder="little").astype(np.float32)


def _scale_and_offset(blocks: Bytes, z: Floats) -> Floats:
    """Gives d · s_g · z − m · o_g for 8 groups. Twelve bytes hold eight 6-bit scales and offsets, the last four of each split."""
    first, second, split = blocks[:, 4:8], blocks[:, 8:12], blocks[:, 12:16]
    scales = np.concatenate([first & 63, split & 15 | first >> 6 << 4], axis=1)  # (n, 8)
    offsets = np.concatenate([second & 63, split >> 4 | second >> 6 << 4], axis=1)  # (n, 8)
    d, m = _half(blocks, 0), _half(blocks, 2)  # (n, 1)
    numbers: Floats = (d * scales)[:, :, None] * z - (m * offsets)[:, :, None]
    return numbers


STORAGES = {
    "F64": Storage(1, 8, read_f64),
    "F32": Storage(1, 4, read_f32),
    "F16": Storage(1, 2, read_f16),
    "BF16": Storage(1, 2, read_bf16),
    "I64": Storage(1, 8),
    "U64": Storage(1, 8),
    "I32": Storage(1, 4),
    "U32": Storage(1, 4),
    "I16": Storage(1, 2),
    "U16": Storage(1, 2),
    "I8": Storage(1, 1),
    "U8": Storage(1, 1),
    "BOOL": Storage(1, 1),
    "F8_E4M3": Storage(1, 1),
    "F8_E5M2": Storage(1, 1),
    "Q4_0": Storage(32, 18, read_q4_0),
    "Q4_1": Storage(32, 20, read_q4_1),
    "Q5_0": Storage(32, 22, read_q5_0),
    "Q5_1": Storage(32, 24, read_q5_1),
    "Q8_0": Storage(32, 34, read_q8_0),
    "Q8_1": Storage(32, 36),
    "Q2_K": Storage(256, 84),
    "Q3_K": Storage(256, 110),
    "Q4_K": Storage(256, 144, read_q4_k),
    "Q5_K": Storage(256, 176, read_q5_k),
    "Q6_K": Storage(256, 210, read_q6_k),
    "Q8_K": Storage(256, 292),
}
