"""Model files for tests, written the way each format's own description says, by none of the code that reads them."""

from __future__ import annotations

import json
import struct
from collections.abc import Mapping
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

Arrays = Mapping[str, NDArray[np.float32]]
GGUF_F32, GGUF_TEXT, GGUF_U32, GGUF_LIST = 0, 8, 4, 9


def safetensors_bytes(header: object, numbers: bytes = b"") -> bytes:
    text = header if isinstance(header, bytes) else json.dumps(header).encode()
    return len(text).to_bytes(8, "little") + text + numbers


def write_safetensors(path: Path, arrays: Arrays) -> Path:
    header, numbers = {"__metadata__": {"format": "pt"}}, b""
    for name, array in arrays.items():
        stored = np.ascontiguousarray(array, "<f4").tobytes()
        offsets = [len(numbers), len(numbers) + len(stored)]
        header[name] = {"dtype": "F32", "shape": list(array.shape), "data_offsets": offsets}
        numbers += stored
    path.write_bytes(safetensors_bytes(header, numbers))
    return path


def gguf_text(text: str) -> bytes:
    return struct.pack("<Q", len(text.encode())) + text.encode()


def gguf_entry(key: str, value: int | str | list[int]) -> bytes:
    if isinstance(value, str):
        return gguf_text(key) + struct.pack("<I", GGUF_TEXT) + gguf_text(value)
    if isinstance(value, list):
        head = struct.pack("<IIQ", GGUF_LIST, GGUF_U32, len(value))
        return gguf_text(key) + head + struct.pack(f"<{len(value)}I", *value)
    return gguf_text(key) + struct.pack("<II", GGUF_U32, value)


def gguf_tensor(name: str, dims: list[int], code: int, offset: int) -> bytes:
    return gguf_text(name) + struct.pack(f"<I{len(dims)}QIQ", len(dims), *dims, code, offset)


def gguf_bytes(entries: list[bytes], tensors: list[bytes], numbers: bytes = b"", version: int = 3) -> bytes:
    head = b"GGUF" + struct.pack("<IQQ", version, len(tensors), len(entries)) + b"".join(entries) + b"".join(tensors)
    return head + b"\0" * (-len(head) % 32) + numbers


def write_gguf(path: Path, arrays: Arrays, metadata: Mapping[str, int | str]) -> Path:
    tensors, numbers = [], b""
    for name, array in arrays.items():
        tensors.append(gguf_tensor(name, list(array.shape[::-1]), GGUF_F32, len(numbers)))
        stored = np.ascontiguousarray(array, "<f4").tobytes()
        numbers += stored + b"\0" * (-len(stored) % 32)
    entries = [gguf_entry(key, value) for key, value in metadata.items()]
    path.write_bytes(gguf_bytes(entries, tensors, numbers))
    return path
