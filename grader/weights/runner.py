"""Which architecture a file holds, and the means to run a sentence through it."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from grader.weights.bert import Bert
from grader.weights.decoder import Gpt2, Llama
from grader.weights.errors import WeightsError
from grader.weights.parts import HeadActivations
from grader.weights.rotation import Rotation, read_scaling
from grader.weights.said import Said, count, number, only, shown
from grader.weights.sentence import MAX_SENTENCE, check_sentence
from grader.weights.settings import Settings, json_beside
from grader.weights.tensors import ModelFile, finite

LLAMA_LIKE = ("llama", "mistral", "qwen2")
KNOWN = "BERT, GPT-2, LLaMA, Mistral and Qwen2"
GELU_BY_TANH = ("gelu_new", "gelu_pytorch_tanh")


def read_runner(model: ModelFile, settings: Settings) -> Bert | Gpt2 | Llama:
    """The model, ready to be run. Raises WeightsError for an architecture that is not run here, by the name it has."""
    in_gguf = model.metadata.get("general.architecture")
    config = json_beside(model.path, "config.json") if in_gguf is None else {}
    kind = config.get("model_type") if in_gguf is None else in_gguf
    if kind == "gpt2":
        only(config, {"activation_function": GELU_BY_TANH, "scale_attn_by_inverse_layer_idx": (False,)})
        only(config, {"scale_attn_weights": (True,)})
        said = model.metadata if in_gguf else config
        return Gpt2(model, settings.heads, number(said, *EPSILONS, otherwise=1e-5, above=0, below=1))
    if kind in LLAMA_LIKE:
        return _gguf_llama(model, settings, str(kind)) if in_gguf else _llama(model, settings, config)
    if kind in (None, "bert"):
        only(config, {"hidden_act": ("gelu",), "position_embedding_type": ("absolute",)})
        return Bert(model, settings.heads, settings.epsilon)
    raise WeightsError(
        f"{model.path.name} is a model of the kind {shown(kind)}: it can be read, but not run on a sentence. Leave the text out "
        f"to read a head's matrices alone, or take a model built like {KNOWN}"
    )


HIGHEST_BASE = 1e12
OVERFLOW = "its parameters drive the numbers beyond all bounds: no sentence can be run through them"
EPSILONS = ("layer_norm_epsilon", "gpt2.attention.layer_norm_epsilon")


def _llama(model: ModelFile, settings: Settings, config: Said) -> Llama:
    written = config.get("rope_parameters") or config.get("rope_scaling")
    scaling = read_scaling(written)
    said = {**(written or {}), **config}
    only(said, {"hidden_act": ("silu",), "partial_rotary_factor": (1,)})
    if said.get("use_sliding_window") is not False:
        _sees_all(said, "sliding_window")
    base = number(said, "rope_theta", otherwise=10_000.0, above=1, below=HIGHEST_BASE)
    epsilon = number(said, "rms_norm_eps", otherwise=1e-6, above=0, below=1)
    return Llama(model, settings.heads, Rotation(base, scaling=scaling, width=count(said, "head_dim")), epsilon)


def _gguf_llama(model: ModelFile, settings: Settings, kind: str) -> Llama:
    said = model.metadata
    only(said, {f"{kind}.rope.scaling.type": ("none",), f"{kind}.rope.scaling.factor": (1,)})
    _sees_all(said, f"{kind}.attention.sliding_window")
    divisors = "rope_freqs.weight"
    rotation = Rotation(
        number(said, f"{kind}.rope.freq_base", otherwise=10_000.0, above=1, below=HIGHEST_BASE),
        is_interleaved=kind == "llama",
        divisors=finite(divisors, model.parameter(divisors)) if divisors in model.tensors else None,
        width=count(said, f"{kind}.rope.dimension_count"),
    )
    epsilon = number(said, f"{kind}.attention.layer_norm_rms_epsilon", otherwise=1e-6, above=0, below=1)
    return Llama(model, settings.heads, rotation, epsilon)


def _sees_all(said: Said, key: str) -> None:
    """Raises WeightsError where tokens see only the nearest before them, and a sentence could be longer than that."""
    window = count(said, key)
    if window is not None and window < MAX_SENTENCE:
        raise WeightsError(
            f"the model says {key} = {window}: its tokens do not see the whole sentence, as here they would"
        )


def run_to_head(
    runner: Bert | Gpt2 | Llama, ids: list[int], layer: int, head: int, passed: Callable[[int], None] = lambda _: None
) -> HeadActivations:
    """What a head makes of a sentence; `passed` is told of every layer on the way.

    Raises WeightsError as the runner does, for a sentence too long, and where parameters drive the numbers beyond all bounds.
    """
    check_sentence(ids)
    try:
        with np.errstate(over="raise", invalid="raise"):
            X = runner.embed(ids)  # (S, d)
            for below in range(layer):
                X = runner.through_layer(below, X)
                passed(below)
            found = runner.head(layer, head, X)
    except FloatingPointError:
        raise WeightsError(OVERFLOW) from None
    # Products of matrices may overflow without a word.
    if not all(np.isfinite(array).all() for array in (found.q, found.k, found.v, found.logits)):
        raise WeightsError(OVERFLOW)
    return found
