"""Decoders of GPT-2's and of LLaMA's kind, run up to the layer that is asked for.

Both normalise before they work and add what they found to what came in; both see no future. GPT-2 adds a learned vector
for each place to the first X (Radford et al. 2019). LLaMA turns q and k by an angle that grows with the place (Touvron
et al. 2023), so that a product q · k tells how far apart two tokens stand: what is shown are q and k after the turn.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from grader.attention.attention import causal_mask
from grader.attention.heads import attend_by_heads, merge_heads, split_heads
from grader.attention.projection import Array
from grader.weights.errors import WeightsError
from grader.weights.parts import HeadActivations, Parts, attend
from grader.weights.projections import Heads, LayerProjections, read_projections
from grader.weights.rotation import Rotation
from grader.weights.tensors import ModelFile

GPT2_NAMES = {
    "tokens": ("wte", "token_embd"),
    "positions": ("wpe", "position_embd"),
    "attn_norm": ("h.{}.ln_1", "blk.{}.attn_norm"),
    "qkv": ("h.{}.attn.c_attn", "blk.{}.attn_qkv"),
    "attended": ("h.{}.attn.c_proj", "blk.{}.attn_output"),
    "ffn_norm": ("h.{}.ln_2", "blk.{}.ffn_norm"),
    "up": ("h.{}.mlp.c_fc", "blk.{}.ffn_up"),
    "down": ("h.{}.mlp.c_proj", "blk.{}.ffn_down"),
}
LLAMA_NAMES = {
    "tokens": ("embed_tokens", "token_embd"),
    "attn_norm": ("layers.{}.input_layernorm", "blk.{}.attn_norm"),
    "q": ("layers.{}.self_attn.q_proj", "blk.{}.attn_q"),
    "k": ("layers.{}.self_attn.k_proj", "blk.{}.attn_k"),
    "v": ("layers.{}.self_attn.v_proj", "blk.{}.attn_v"),
    "attended": ("layers.{}.self_attn.o_proj", "blk.{}.attn_output"),
    "ffn_norm": ("layers.{}.post_attention_layernorm", "blk.{}.ffn_norm"),
    "gate": ("layers.{}.mlp.gate_proj", "blk.{}.ffn_gate"),
    "up": ("layers.{}.mlp.up_proj", "blk.{}.ffn_up"),
    "down": ("layers.{}.mlp.down_proj", "blk.{}.ffn_down"),
}
# What a layer may hold beside its parameters: masks, and angles that are worked out anew.
BUFFERS = (".attn.bias", ".attn.masked_bias", ".rotary_emb.inv_freq")


@dataclass(frozen=True, slots=True)
class Gpt2:
    """A model file read as GPT-2. `epsilon` keeps the normalisation from dividing by zero."""

    model: ModelFile
    heads: Heads
    epsilon: float = 1e-5

    def embed(self, ids: list[int]) -> Array:
        """The X (S, d) that goes into layer 0. Raises WeightsError for a sentence too long, or a file of another kind."""
        parts = self._parts
        if len(ids) > parts.n_rows("positions"):
            raise WeightsError(
                f"{len(ids)} tokens are more than the {parts.n_rows('positions')} that this model has places for"
            )
        tokens = parts.rows("tokens", ids)  # (S, d)
        return tokens + parts.rows("positions", list(range(len(ids))), tokens.shape[-1])

    def through_layer(self, layer: int, X: Array) -> Array:
        """The X (S, d) that comes out of a layer, and goes into the next."""
        parts = self._parts
        Q, K, V = self._projections(layer).project(self._normalise("attn_norm", X, layer))
        context = attend_by_heads(Q, K, V, self.heads.queries, causal_mask(len(X)))  # (S, d)
        X = X + parts.dense("attended", context, layer, X.shape[-1])
        inner = gelu_by_tanh(parts.dense("up", self._normalise("ffn_norm", X, layer), layer))  # (S, 4d)
        out: Array = X + parts.dense("down", inner, layer, X.shape[-1])
        return out

    def head(self, layer: int, head: int, X: Array) -> HeadActivations:
        """What one head of a layer makes of the X that goes into it."""
        normalised = self._normalise("attn_norm", X, layer)
        return attend(*self._projections(layer).project_head(head, normalised), is_causal=True)

    def _normalise(self, part: str, X: Array, layer: int) -> Array:
        return self._parts.layer_norm(part, X, layer, self.epsilon)

    def _projections(self, layer: int) -> LayerProjections:
        check_layer(self._parts, layer)
        return read_projections(self.model, layer, self.heads)

    @property
    def _parts(self) -> Parts:
        return Parts(self.model, "a decoder like GPT-2", GPT2_NAMES)


@dataclass(frozen=True, slots=True)
class Llama:
    """A model file read as LLaMA, or as Mistral or Qwen2, which differ in sizes and biases alone."""

    model: ModelFile
    heads: Heads
    rotation: Rotation
    epsilon: float = 1e-6

    def embed(self, ids: list[int]) -> Array:
        """The X (S, d) that goes into layer 0. Raises WeightsError for a file of another kind."""
        return self._parts.rows("tokens", ids)

    def through_layer(self, layer: int, X: Array) -> Array:
        """The X (S, d) that comes out of a layer, and goes into the next."""
        parts = self._parts
        found = self._projections(layer)
        Q, K, V = found.project(self._normalise("attn_norm", X, layer))
        Q, K = self._turned(Q, found.heads), self._turned(K, found.key_heads)
        context = attend_by_heads(Q, K, V, found.heads, causal_mask(len(X)))  # (S, heads · d_head)
        X = X + parts.dense("attended", context, layer, X.shape[-1])
        normalised = self._normalise("ffn_norm", X, layer)
        gate = silu(parts.dense("gate", normalised, layer))  # (S, d_ffn)
        inner = gate * parts.dense("up", normalised, layer, gate.shape[-1])
        out: Array = X + parts.dense("down", inner, layer, X.shape[-1])
        return out

    def head(self, layer: int, head: int, X: Array) -> HeadActivations:
        """What one head of a layer makes of the X that goes into it; q and k are turned."""
        q, k, v = self._projections(layer).project_head(head, self._normalise("attn_norm", X, layer))
        return attend(self._turned(q, 1), self._turned(k, 1), v, is_causal=True)

    def _turned(self, rows: Array, n_heads: int) -> Array:
        """Every head's rows turned by the angles of their places: (S, n_heads · d_head) -> the same shape."""
        return merge_heads(self.rotation.turn(split_heads(rows, n_heads)))

    def _normalise(self, part: str, X: Array, layer: int) -> Array:
        return self._parts.rms_norm(part, X, layer, self.epsilon)

    def _projections(self, layer: int) -> LayerProjections:
        check_layer(self._parts, layer)
        return read_projections(self.model, layer, self.heads)

    @property
    def _parts(self) -> Parts:
        return Parts(self.model, "a decoder like LLaMA", LLAMA_NAMES)


def check_layer(parts: Parts, layer: int) -> None:
    """Raises WeightsError for a layer with a tensor that these formulas leave out: it would be run as what it is not."""
    names = [name.format(layer) for pair in parts.names.values() for name in pair if "{}" in name]
    places = {name[: name.index(f".{layer}.") + len(f".{layer}.")] for name in names}
    for name in parts.model.tensors:
        bare = name.rpartition(".")[0]
        is_within = any(f".{place}" in f".{name}" for place in places)
        is_known = any(f".{bare}".endswith(f".{known}") for known in names) or name.endswith(BUFFERS)
        if is_within and not is_known:
            raise WeightsError(
                f"{name} is no part of {parts.kind}: this model is built otherwise, and would be run wrongly. Leave the "
                f"text out to read a head's matrices alone"
            )


def gelu_by_tanh(X: Array) -> Array:
    """X · Φ(x) as GPT-2 works it out, by a hyperbolic tangent; any shape (Hendrycks and Gimpel 2016)."""
    activated: Array = X * (1 + np.tanh(math.sqrt(2 / math.pi) * (X + 0.044715 * X**3))) / 2
    return activated


def silu(X: Array) -> Array:
    """X · σ(x); any shape. The tangent is the same σ, and never overflows."""
    activated: Array = X * (1 + np.tanh(X / 2)) / 2
    return activated
