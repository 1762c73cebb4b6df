"""The encoder of BERT, run up to the layer that is asked for (Devlin et al. 2018, "BERT").

Each layer attends, adds what it found to its input and normalises; then does the same with two dense layers. The layers
before the asked one are needed because its X is what they put out: no word has a q, k or v of its own.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from grader.attention.heads import attend_by_heads
from grader.attention.projection import Array
from grader.weights.errors import WeightsError
from grader.weights.parts import HeadActivations, Parts, attend
from grader.weights.projections import Heads, read_projections
from grader.weights.tensors import ModelFile

# Where the parts of the model stand: as PyTorch names them, and as GGUF does.
NAMES = {
    "tokens": ("embeddings.word_embeddings", "token_embd"),
    "positions": ("embeddings.position_embeddings", "position_embd"),
    "segments": ("embeddings.token_type_embeddings", "token_types"),
    "embedded": ("embeddings.LayerNorm", "token_embd_norm"),
    "attended": ("encoder.layer.{}.attention.output.dense", "blk.{}.attn_output"),
    "attended_norm": ("encoder.layer.{}.attention.output.LayerNorm", "blk.{}.attn_output_norm"),
    "up": ("encoder.layer.{}.intermediate.dense", "blk.{}.ffn_up"),
    "down": ("encoder.layer.{}.output.dense", "blk.{}.ffn_down"),
    "out_norm": ("encoder.layer.{}.output.LayerNorm", "blk.{}.layer_output_norm"),
}


@dataclass(frozen=True, slots=True)
class Bert:
    """A model file read as BERT. `epsilon` keeps the normalisation from dividing by zero."""

    model: ModelFile
    heads: Heads
    epsilon: float = 1e-12

    def __post_init__(self) -> None:
        """Raises WeightsError at once for a model of another kind, which can be read but not run here."""
        self._parts.name("segments")
        self._parts.name("embedded")

    def embed(self, ids: list[int]) -> Array:
        """The X (S, d) that goes into layer 0. Raises WeightsError for a sentence too long, or a file of another kind."""
        parts = self._parts
        if len(ids) > parts.n_rows("positions"):
            raise WeightsError(
                f"{len(ids)} tokens are more than the {parts.n_rows('positions')} that this model has places for"
            )
        tokens = parts.rows("tokens", ids)  # (S, d)
        width = tokens.shape[-1]
        places = parts.rows("positions", list(range(len(ids))), width)
        summed = tokens + places + parts.rows("segments", [0], width)
        return parts.layer_norm("embedded", summed, 0, self.epsilon)

    def through_layer(self, layer: int, X: Array) -> Array:
        """The X (S, d) that comes out of a layer, and goes into the next."""
        parts = self._parts
        found = read_projections(self.model, layer, self.heads)
        context = attend_by_heads(*found.project(X), self.heads.queries)  # (S, d)
        X = parts.layer_norm(
            "attended_norm", X + parts.dense("attended", context, layer, X.shape[-1]), layer, self.epsilon
        )
        inner = gelu(parts.dense("up", X, layer))  # (S, 4d)
        return parts.layer_norm("out_norm", X + parts.dense("down", inner, layer, X.shape[-1]), layer, self.epsilon)

    def head(self, layer: int, head: int, X: Array) -> HeadActivations:
        """What one head of a layer makes of the X that goes into it."""
        found = read_projections(self.model, layer, self.heads)
        return attend(*found.project_head(head, X), is_causal=False)

    @property
    def _parts(self) -> Parts:
        return Parts(self.model, "an encoder like BERT", NAMES)


def gelu(X: Array) -> Array:
    """X · Φ(x), with Φ the share of the normal distribution below x; any shape (Hendrycks and Gimpel 2016)."""
    below = np.array([math.erf(x / math.sqrt(2)) for x in X.ravel().tolist()]).reshape(X.shape)
    activated: Array = X * (1 + below) / 2
    return activated
