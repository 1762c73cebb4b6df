"""Open a model file, whichever of the three forms it has."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from grader.weights.errors import WeightsError
from grader.weights.gguf import MAGIC, read_gguf
from grader.weights.onnx_file import read_onnx
from grader.weights.safetensors import LENGTH_BYTES, read_safetensors
from grader.weights.tensors import Bytes, ModelFile


def open_model_file(path: Path) -> ModelFile:
    """Map the file into memory and read what it says of its tensors, not yet their numbers.

    Raises WeightsError where it is not there, is of no form known here, or contradicts itself.
    """
    try:
        content: Bytes = np.memmap(path, dtype=np.uint8, mode="r")
    except (OSError, ValueError) as error:
        raise WeightsError(f"{path} cannot be read: {error}") from None
    start = content[: LENGTH_BYTES + 1].tobytes()
    try:
        if start.startswith(MAGIC):
            return read_gguf(path, content)
        if start[LENGTH_BYTES:] == b"{":
            return read_safetensors(path, content)
        if path.suffix == ".onnx":
            return read_onnx(path, content)
    except WeightsError as error:
        raise WeightsError(f"{path.name}: {error}") from None
    raise WeightsError(f"{path.name} is neither safetensors nor GGUF, and its name does not end in .onnx")
