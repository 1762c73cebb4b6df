"""Places turned into q and k: rotary position embedding (Su et al. 2021, "RoFormer")."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field

import numpy as np

from grader.attention.projection import Array
from grader.weights.errors import WeightsError
from grader.weights.said import Said, number, shown


@dataclass(frozen=True, slots=True)
class Rotation:
    """How far a pair of numbers is turned from one place to the next: by θ_i = base^(−2i/d_head) · a share of pair i.

    Pair i are the numbers i and i + d_head/2, as PyTorch's files have them. Where `is_interleaved`, a file has them as
    neighbours 2i and 2i + 1; they are put apart first, so that q and k come out alike from every file. A `width` that the
    file tells is held against that of the heads: a head that is turned in part would be turned wrongly.
    """

    base: float = 10_000.0
    is_interleaved: bool = False
    scaling: Mapping[str, float] = field(default_factory=dict)
    divisors: Array | None = None
    width: int | None = None

    def turn(self, heads: Array) -> Array:
        """Turn what stands at place p by p · θ: (..., S, d_head) -> the same shape. Raises WeightsError for another width."""
        S, d_head = heads.shape[-2:]
        if self.width not in {None, d_head}:
            raise WeightsError(
                f"the model says that {self.width} numbers of a head are turned, and its heads have {d_head}"
            )
        if d_head % 2:
            raise WeightsError(f"heads of {d_head} numbers cannot be turned pair by pair")
        first, second = self._halves(heads)  # (..., S, d_head / 2) each
        angles = np.arange(S)[:, None] * self._thetas(d_head)  # (S, d_head / 2)
        cos, sin = np.cos(angles), np.sin(angles)
        return np.concatenate([first * cos - second * sin, second * cos + first * sin], axis=-1)

    def _halves(self, heads: Array) -> tuple[Array, Array]:
        if self.is_interleaved:
            return heads[..., 0::2], heads[..., 1::2]
        first, second = np.split(heads, 2, axis=-1)
        return first, second

    def _thetas(self, d_head: int) -> Array:
        thetas = self.base ** -(np.arange(0, d_head, 2) / d_head)  # (d_head / 2,)
        if self.divisors is not None:
            if self.divisors.shape != thetas.shape or not (self.divisors > 0).all():
                raise WeightsError(f"rope_freqs must be {len(thetas)} positive numbers")
            thetas = thetas / self.divisors
        return slowed(thetas, self.scaling) if self.scaling else thetas


def slowed(thetas: Array, scaling: Mapping[str, float]) -> Array:
    """LLaMA 3.1's stretch to longer texts: slow turns become slower by `factor`, fast ones stay, between them a mixture."""
    low, high = scaling["low_freq_factor"], scaling["high_freq_factor"]
    turns = scaling["original_max_position_embeddings"] * thetas / (2 * math.pi)
    kept = np.clip((turns - low) / (high - low), 0, 1)
    mixed: Array = thetas * (kept + (1 - kept) / scaling["factor"])
    return mixed


def read_scaling(written: object) -> dict[str, float]:
    """The numbers of LLaMA 3.1's stretch, or none. Raises WeightsError for a stretch of another kind."""
    if written is not None and not isinstance(written, Mapping):
        raise WeightsError(
            f"positions are stretched as {shown(written)}, which is not run here; default and llama3 are"
        )
    values: Said = written or {}
    kind = values.get("rope_type", values.get("type", "default"))
    if kind == "default":
        return {}
    if kind != "llama3":
        raise WeightsError(f"positions are stretched as {shown(kind)}, which is not run here; default and llama3 are")
    needed = ("factor", "low_freq_factor", "high_freq_factor", "original_max_position_embeddings")
    numbers = {key: number(values, key, otherwise=math.nan, above=0.1, below=1e12) for key in needed}
    if numbers["low_freq_factor"] >= numbers["high_freq_factor"]:
        raise WeightsError("low_freq_factor is not below high_freq_factor, as a stretch of the kind llama3 has it")
    return numbers
