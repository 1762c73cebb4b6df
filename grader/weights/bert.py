"""The encoder of BERT, run up to the layer that is asked for (Devlin et al. 2018, "BERT").

Each layer attends, adds what it found to its input and normalises; then does the same with two dense layers. The layers
before the asked one are needed because its X is what they put out: no word has a q, k or v of its own.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from grader.attention.attention import dot_logits, scale_logits
from grader.attention.embedding import look_up
from grader.attention.heads import attend_by_heads
from grader.attention.projection import Array, project_rows
from grader.attention.softmax import softmax
from grader.weights.errors import WeightsError
from grader.weights.projections import ROLES, Heads, LayerProjections, Projection, read_projections
from grader.weights.tensors import ModelFile

# Where the parts of the model stand: as PyTorch names them, and as GGUF does.
NAMES = (
    ("embeddings.word_embeddings", "token_embd"),
    ("embeddings.position_embeddings", "position_embd"),
    ("embeddings.token_type_embeddings", "token_types"),
    ("embeddings.LayerNorm", "token_embd_norm"),
    ("encoder.layer.{}.attention.output.dense", "blk.{}.attn_output"),
    ("encoder.layer.{}.attention.output.LayerNorm", "blk.{}.attn_output_norm"),
    ("encoder.layer.{}.intermediate.dense", "blk.{}.ffn_up"),
    ("encoder.layer.{}.output.dense", "blk.{}.ffn_down"),
    ("encoder.layer.{}.output.LayerNorm", "blk.{}.layer_output_norm"),
)
TOKENS, POSITIONS, SEGMENTS, EMBEDDED, ATTENDED, ATTENDED_NORM, UP, DOWN, OUT_NORM = range(len(NAMES))


@dataclass(frozen=True, slots=True)
class HeadActivations:
    """What one head makes of a sentence: q, k, v are (S, d_head), logits (scaled) and attn_weights (S, S)."""

    q: Array
    k: Array
    v: Array
    logits: Array
    attn_weights: Array


@dataclass(frozen=True, slots=True)
class Bert:
    """A model file read as BERT. `epsilon` keeps the normalisation from dividing by zero."""

    model: ModelFile
    heads: Heads
    epsilon: float = 1e-12

    def __post_init__(self) -> None:
        """Raises WeightsError at once for a model of another kind, which can be read but not run here."""
        self._name(SEGMENTS)
        self._name(EMBEDDED)

    def embed(self, ids: list[int]) -> Array:
        """The X (S, d) that goes into layer 0. Raises WeightsError for a sentence too long, or a file of another kind."""
        table, places = self._tensor(TOKENS), self._tensor(POSITIONS)
        if len(ids) > len(places):
            raise WeightsError(f"{len(ids)} tokens are more than the {len(places)} that this model has places for")
        if max(ids) >= len(table):
            raise WeightsError(f"the vocabulary has more tokens than the {len(table)} rows of the embedding table")
        summed = look_up(np.array(ids), table) + places[: len(ids)] + self._tensor(SEGMENTS)[0]  # (S, d)
        return self._normalise(EMBEDDED, summed)

    def through_layer(self, layer: int, X: Array) -> Array:
        """The X (S, d) that comes out of a layer, and goes into the next."""
        found = self._projections(layer).by_role
        Q, K, V = (_project(X, found[role]) for role in ROLES)
        context = attend_by_heads(Q, K, V, self.heads.queries)  # (S, d)
        X = self._normalise(ATTENDED_NORM, X + self._dense(ATTENDED, context, layer), layer)
        inner = gelu(self._dense(UP, X, layer))  # (S, 4d)
        return self._normalise(OUT_NORM, X + self._dense(DOWN, inner, layer), layer)

    def head(self, layer: int, head: int, X: Array) -> HeadActivations:
        """What one head of a layer makes of the X that goes into it."""
        projections = self._projections(layer).head(head)
        q, k, v = (_project(X, projections[role]) for role in ROLES)  # (S, d_head) each
        logits = scale_logits(dot_logits(q, k), k)  # (S, S)
        return HeadActivations(q, k, v, logits, softmax(logits))

    def _projections(self, layer: int) -> LayerProjections:
        return read_projections(self.model, layer, self.heads)

    def _dense(self, part: int, X: Array, layer: int) -> Array:
        # PyTorch and GGUF store [out, in].
        return project_rows(X, self._tensor(part, layer).T, self._tensor(part, layer, ".bias"))

    def _normalise(self, part: int, X: Array, layer: int = 0) -> Array:
        """Every token brought to mean 0 and variance 1, then scaled and shifted as learned."""
        centred = X - X.mean(axis=-1, keepdims=True)
        unit = centred / np.sqrt((centred**2).mean(axis=-1, keepdims=True) + self.epsilon)
        normalised: Array = unit * self._tensor(part, layer) + self._tensor(part, layer, ".bias")
        return normalised

    def _tensor(self, part: int, layer: int = 0, ending: str = ".weight") -> Array:
        """A parameter in double precision."""
        numbers: Array = self.model.parameter(self._name(part, layer, ending)).astype(np.float64)
        return numbers

    def _name(self, part: int, layer: int = 0, ending: str = ".weight") -> str:
        """The name of a part in this file. Any prefix may stand before it, as in bert.encoder."""
        names = [name.format(layer) + ending for name in NAMES[part]]
        endings = tuple(f".{name}" for name in names)
        found = [name for name in self.model.tensors if name in names or name.endswith(endings)]
        if len(found) != 1:
            raise WeightsError(
                f"this file can be read, but not run on a sentence: an encoder like BERT has one tensor named "
                f"{' or '.join(names)}, and here are {len(found)}. Leave the text out to read a head's matrices alone, "
                f"or take a model built like BERT for the sentence"
            )
        return found[0]


def gelu(X: Array) -> Array:
    """X · Φ(x), with Φ the share of the normal distribution below x; any shape (Hendrycks and Gimpel 2016)."""
    below = np.array([math.erf(x / math.sqrt(2)) for x in X.ravel().tolist()]).reshape(X.shape)
    activated: Array = X * (1 + below) / 2
    return activated


def _project(X: Array, projection: Projection) -> Array:
    return project_rows(X, projection.W, projection.b)
