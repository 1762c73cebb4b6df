"""How many heads a model has, and what else its numbers do not tell: from its own metadata or the config.json beside it."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from grader.weights.errors import WeightsError
from grader.weights.projections import Heads
from grader.weights.said import count, flag, number
from grader.weights.tensors import ModelFile

MAX_CONFIG_BYTES = 2**20
EPSILON = 1e-12
HEADS = ("num_attention_heads", "n_head", "n_heads")


@dataclass(frozen=True, slots=True)
class Settings:
    """Heads, whether the vocabulary is in lower case, and the epsilon of normalisation."""

    heads: Heads
    is_lower: bool = True
    epsilon: float = EPSILON


def read_settings(model: ModelFile, n_heads: int | None = None) -> Settings:
    """A number of heads given by hand wins. Raises WeightsError where nobody says how many there are, or says it wrongly."""
    if "general.architecture" in model.metadata:
        return _from_gguf(model, n_heads)
    config = json_beside(model.path, "config.json")
    tokens = json_beside(model.path, "tokenizer_config.json")
    heads = count(config, *HEADS) if n_heads is None else n_heads
    if heads is None:
        raise WeightsError(f"no config.json beside {model.path.name} says how many heads it has: give --heads")
    return Settings(
        Heads(heads, count(config, "num_key_value_heads")),
        is_lower=flag(tokens, "do_lower_case", otherwise=True),
        epsilon=number(config, "layer_norm_eps", otherwise=EPSILON, above=0, below=1),
    )


def _from_gguf(model: ModelFile, n_heads: int | None) -> Settings:
    architecture = model.metadata["general.architecture"]
    heads = count(model.metadata, f"{architecture}.attention.head_count") if n_heads is None else n_heads
    if heads is None:
        raise WeightsError(f"the metadata of {model.path.name} does not say how many heads it has: give --heads")
    epsilon = f"{architecture}.attention.layer_norm_epsilon"
    return Settings(
        Heads(heads, count(model.metadata, f"{architecture}.attention.head_count_kv")),
        epsilon=number(model.metadata, epsilon, otherwise=EPSILON, above=0, below=1),
    )


def json_beside(path: Path, name: str, most: int = MAX_CONFIG_BYTES) -> dict[str, Any]:
    """The object in a file of the same folder; empty where there is none. Raises WeightsError for anything else."""
    beside = path.with_name(name)
    if not beside.is_file():
        return {}
    try:
        if beside.stat().st_size > most:
            raise WeightsError(f"{name} is too large to be one")
        values = json.loads(beside.read_text(encoding="utf-8"))
    except (OSError, ValueError, RecursionError) as error:
        raise WeightsError(f"{name} cannot be read: {error}") from None
    if not isinstance(values, dict):
        raise WeightsError(f"{name} holds no object")
    return values
