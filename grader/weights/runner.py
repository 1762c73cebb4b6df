"""Which architecture a file holds, and the means to run a sentence through it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from grader.weights.bert import Bert
from grader.weights.decoder import Gpt2, Llama
from grader.weights.errors import WeightsError
from grader.weights.rotation import Rotation, read_scaling
from grader.weights.settings import Settings, json_beside
from grader.weights.tensors import ModelFile, finite

LLAMA_LIKE = ("llama", "mistral", "qwen2")
KNOWN = "BERT, GPT-2, LLaMA, Mistral and Qwen2"
GELU_BY_TANH = ("gelu_new", "gelu_pytorch_tanh")


def read_runner(model: ModelFile, settings: Settings) -> Bert | Gpt2 | Llama:
    """The model, ready to be run. Raises WeightsError for an architecture that is not run here, by the name it has."""
    in_gguf = model.metadata.get("general.architecture")
    config = {} if in_gguf else json_beside(model.path, "config.json")
    kind = in_gguf or config.get("model_type")
    if kind == "gpt2":
        _only(config, {"activation_function": GELU_BY_TANH, "scale_attn_by_inverse_layer_idx": (False,)})
        _only(config, {"scale_attn_weights": (True,)})
        return Gpt2(model, settings.heads, _number(model.metadata if in_gguf else config, EPSILONS, 1e-5))
    if kind in LLAMA_LIKE:
        return _gguf_llama(model, settings, str(kind)) if in_gguf else _llama(model, settings, config)
    if kind in {None, "bert"}:
        return Bert(model, settings.heads, settings.epsilon)
    raise WeightsError(
        f"{model.path.name} is a model of the kind {kind!r}: it can be read, but not run on a sentence. Leave the text out "
        f"to read a head's matrices alone, or take a model built like {KNOWN}"
    )


EPSILONS = ("layer_norm_epsilon", "gpt2.attention.layer_norm_epsilon")


def _llama(model: ModelFile, settings: Settings, config: Mapping[str, Any]) -> Llama:
    _only(config, {"hidden_act": ("silu",), "partial_rotary_factor": (1, 1.0)})
    written = config.get("rope_parameters") or config.get("rope_scaling")
    within = written if isinstance(written, Mapping) else {}
    base = _number({**within, **config}, ("rope_theta",), 10_000.0)
    return Llama(
        model,
        settings.heads,
        Rotation(base, scaling=read_scaling(written)),
        _number(config, ("rms_norm_eps",), 1e-6),
    )


def _gguf_llama(model: ModelFile, settings: Settings, kind: str) -> Llama:
    said = model.metadata
    _only(said, {f"{kind}.rope.scaling.type": ("none",)})
    divisors = "rope_freqs.weight"
    rotation = Rotation(
        _number(said, (f"{kind}.rope.freq_base",), 10_000.0),
        is_interleaved=kind == "llama",
        divisors=finite(divisors, model.parameter(divisors)) if divisors in model.tensors else None,
    )
    epsilon = _number(said, (f"{kind}.attention.layer_norm_rms_epsilon",), 1e-6)
    return Llama(model, settings.heads, rotation, epsilon)


def _only(said: Mapping[str, Any], known: Mapping[str, tuple[object, ...]]) -> None:
    """Raises WeightsError where a model says of itself what these formulas do not do."""
    for key, values in known.items():
        if key in said and said[key] not in values:
            raise WeightsError(
                f"the model says {key} = {said[key]!r}; a sentence is run only where it is {values[0]!r}"
            )


def _number(said: Mapping[str, Any], keys: tuple[str, ...], otherwise: float) -> float:
    """The first of these keys that is there, a positive number. Raises WeightsError for anything else."""
    key = next((key for key in keys if key in said), None)
    value = otherwise if key is None else said[key]
    if type(value) not in {int, float} or not 0 < value < 1e12:  # noqa: PLR2004 -- far above every base of a rotation
        raise WeightsError(f"{key} is {value!r}, and should be a positive number")
    return float(value)
