"""The parts of a model by the names that its file gives them, and what encoders and decoders do with them alike."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from grader.attention.attention import causal_mask, dot_logits, scale_logits
from grader.attention.projection import Array, project_rows
from grader.attention.softmax import masked_softmax, softmax
from grader.weights.errors import WeightsError
from grader.weights.tensors import ModelFile, finite

STORED_IN_OUT = ".c_"


@dataclass(frozen=True, slots=True)
class HeadActivations:
    """What one head makes of a sentence: q, k, v are (S, d_head), logits (scaled) and attn_weights (S, S).

    Where `is_causal`, no token looks at what comes after it: those weights are exactly 0. The logits are all there.
    """

    q: Array
    k: Array
    v: Array
    logits: Array
    attn_weights: Array
    is_causal: bool = False


def attend(q: Array, k: Array, v: Array, *, is_causal: bool) -> HeadActivations:
    """One head's look, from its q, k and v (S, d_head)."""
    logits = scale_logits(dot_logits(q, k), k)  # (S, S)
    return HeadActivations(q, k, v, logits, look(logits, is_causal=is_causal), is_causal)


def look(logits: Array, *, is_causal: bool) -> Array:
    """The attention weights (S, S) that follow from the scaled logits."""
    return masked_softmax(logits, causal_mask(len(logits))) if is_causal else softmax(logits)


@dataclass(frozen=True, slots=True)
class Parts:
    """The parameters of one architecture in one file, in double precision.

    `names` gives each part two names, PyTorch's and GGUF's, in which {} stands for the layer; any prefix may stand
    before them, as in bert.encoder. `kind` says in words what such a model is built like.
    """

    model: ModelFile
    kind: str
    names: Mapping[str, tuple[str, str]]

    def dense(self, part: str, X: Array, layer: int, width: int | None = None) -> Array:
        """The row convention's X W + b, or X W where the file has no bias; of that `width`, where another array meets it.

        Raises WeightsError for a matrix of other sizes: NumPy would stretch a single column without a word.
        """
        name = self.name(part, layer)
        stored = self._read(name)
        # PyTorch and GGUF store [out, in]; GPT-2 in PyTorch's own names alone stores [in, out].
        W = stored if STORED_IN_OUT in name else stored.T
        bias = f"{name.removesuffix('.weight')}.bias"
        if stored.ndim != 2 or len(W) != X.shape[-1]:  # noqa: PLR2004 -- a matrix
            raise WeightsError(f"{name} is {list(stored.shape)}, and cannot take vectors of {X.shape[-1]} numbers")
        if width not in {None, W.shape[1]}:
            raise WeightsError(f"{name} is {list(stored.shape)}, and makes no vectors of {width} numbers")
        return project_rows(X, W, self._vector(bias, W.shape[1]) if bias in self.model.tensors else None)

    def layer_norm(self, part: str, X: Array, layer: int, epsilon: float) -> Array:
        """Every token brought to mean 0 and variance 1, then scaled and shifted as learned (Ba et al. 2016)."""
        centred = X - X.mean(axis=-1, keepdims=True)
        unit = centred / np.sqrt((centred**2).mean(axis=-1, keepdims=True) + epsilon)
        normalised: Array = unit * self._gain(part, X, layer) + self._gain(part, X, layer, ".bias")
        return normalised

    def rms_norm(self, part: str, X: Array, layer: int, epsilon: float) -> Array:
        """Every token brought to mean square 1, then scaled as learned (Zhang and Sennrich 2019)."""
        unit = X / np.sqrt((X**2).mean(axis=-1, keepdims=True) + epsilon)
        normalised: Array = unit * self._gain(part, X, layer)
        return normalised

    def rows(self, part: str, rows: list[int], width: int | None = None) -> Array:
        """Some rows of a table (S, d); nothing else of it is read. Raises WeightsError for a row or a `width` it has not."""
        name = self.name(part)
        found = finite(name, self.model.rows(name, rows))
        if width not in {None, found.shape[-1]}:
            raise WeightsError(f"{name} has rows of {found.shape[-1]} numbers, and here {width} are needed")
        return found

    def n_rows(self, part: str) -> int:
        """How many rows a table has."""
        return self.model.tensors[self.name(part)].n_rows

    def name(self, part: str, layer: int = 0, ending: str = ".weight") -> str:
        """The name of a part in this file. Raises WeightsError where there is none, or more than one."""
        names = [name.format(layer) + ending for name in self.names[part]]
        endings = tuple(f".{name}" for name in names)
        found = [name for name in self.model.tensors if name in names or name.endswith(endings)]
        if len(found) != 1:
            raise WeightsError(
                f"this file can be read, but not run on a sentence: {self.kind} has one tensor named "
                f"{' or '.join(names)}, and here are {len(found)}. Leave the text out to read a head's matrices alone, "
                f"or take a model built like BERT, GPT-2, LLaMA, Mistral or Qwen2 for the sentence"
            )
        return found[0]

    def _gain(self, part: str, X: Array, layer: int, ending: str = ".weight") -> Array:
        return self._vector(self.name(part, layer, ending), X.shape[-1])

    def _vector(self, name: str, size: int) -> Array:
        numbers = self._read(name)
        if numbers.shape != (size,):
            raise WeightsError(f"{name} is {list(numbers.shape)}; here a vector of {size} numbers is needed")
        return numbers

    def _read(self, name: str) -> Array:
        return finite(name, self.model.parameter(name))
