"""Ours beside Hugging Face's: tests/fixtures/decoders holds random models of two layers, written by transformers 5 and by
the package gguf, and what transformers (in double precision) and tokenizers made of them."""

from __future__ import annotations

import json
import math
import shutil
from io import StringIO
from pathlib import Path
from typing import Any

import numpy as np
import onnx
import pytest
from django.core.management import CommandError, call_command
from onnx import helper, numpy_helper

from grader.weights import Heads, Llama, WeightsError, open_model_file, read_runner, read_settings, read_tokenizer
from grader.weights.rotation import Rotation, read_scaling
from tests.grader.weights.files import write_safetensors

FIXTURES = Path(__file__).parents[2] / "fixtures" / "decoders"
EXPECTED: dict[str, Any] = json.loads((FIXTURES / "expected.json").read_text(encoding="utf-8"))
FILES = {
    "gpt2/model.safetensors": "gpt2",
    "llama/model.safetensors": "llama",
    "llama3/model.safetensors": "llama3",
    "qwen2/model.safetensors": "qwen2",
    "gpt2.gguf": "gpt2",
    "llama.gguf": "llama",
    "qwen2.gguf": "qwen2",
    "llama-q8_0.gguf": "llama-q8_0.gguf",
    "llama-q4_0.gguf": "llama-q4_0.gguf",
}


def as_onnx(folder: Path, name: str) -> Path:
    """The same model as ONNX, its parameters initialisers."""
    model = open_model_file(FIXTURES / name / "model.safetensors")
    stored = [numpy_helper.from_array(model.parameter(tensor), tensor) for tensor in model.tensors]
    onnx.save(helper.make_model(helper.make_graph([], name, [], [], stored)), folder / "m.onnx")
    for beside in ("config.json", "tokenizer.json"):
        shutil.copy(FIXTURES / name / beside, folder / beside)
    return folder / "m.onnx"


def check(path: Path, expected: dict[str, Any]) -> None:
    model = open_model_file(path)
    settings = read_settings(model)
    runner = read_runner(model, settings)
    X = runner.embed(expected["ids"])
    for layer in range(2):
        assert np.abs(X - expected["hidden"][layer]).max() < 1e-5
        for head in range(settings.heads.queries):
            found = runner.head(layer, head, X)
            shared = head * len(expected["k"][layer]) // settings.heads.queries
            assert np.abs(found.attn_weights - expected["attention"][layer][head]).max() < 1e-5
            assert np.abs(found.q - expected["q"][layer][head]).max() < 1e-5
            assert np.abs(found.k - expected["k"][layer][shared]).max() < 1e-5
            assert np.abs(found.v - expected["v"][layer][shared]).max() < 1e-5
            assert not np.triu(found.attn_weights, 1).any()
        X = runner.through_layer(layer, X)
    assert np.abs(X - expected["hidden"][2]).max() < 1e-5


@pytest.mark.parametrize(("file", "name"), FILES.items(), ids=FILES)
def test_every_layer_and_head_is_what_transformers_computes(file: str, name: str) -> None:
    check(FIXTURES / file, EXPECTED[name])


@pytest.mark.parametrize("name", ["gpt2", "llama"])
def test_onnx_gives_the_same(tmp_path: Path, name: str) -> None:
    check(as_onnx(tmp_path, name), EXPECTED[name])


TOKENIZERS = {name: name.partition("/")[0].removesuffix(".gguf") for name in list(FILES)[:7]}


@pytest.mark.parametrize(("file", "name"), TOKENIZERS.items(), ids=TOKENIZERS)
def test_texts_are_cut_as_tokenizers_cuts_them(file: str, name: str) -> None:
    words = read_tokenizer(open_model_file(FIXTURES / file))

    for text, tokens, ids in EXPECTED["tokens"][name]:
        if text:
            assert (words.tokens(text), words.ids(words.tokens(text))) == (tokens, ids)


def run(path: Path, *words: object) -> list[str]:
    out = StringIO()
    call_command("import_weights", str(path), "--layer", "1", "--head", "1", *map(str, words), stdout=out)
    return out.getvalue().splitlines()


def test_command_shows_a_causal_map_and_says_what_q_and_k_are(tmp_path: Path) -> None:
    lines = run(FIXTURES / "llama.gguf", "--text", "The animal was tired.", "--out", tmp_path / "lab.json")

    lab = json.loads((tmp_path / "lab.json").read_text(encoding="utf-8"))
    assert "no token looks at what comes after it" in lines
    assert (lab["scaled"], lab["causal"]) == (True, True)
    assert "q and k are those after rotation by their places (RoPE), from which the scores come" in lines
    assert lab["tokens"][0] == "<s>"
    assert lab["about"]["attn_weights"][0] == [1.0] + [0.0] * (len(lab["tokens"]) - 1)


def copied(folder: Path, name: str, **changes: object) -> Path:
    for file in (FIXTURES / name).iterdir():
        shutil.copy(file, folder / file.name)
    config = json.loads((folder / "config.json").read_text(encoding="utf-8"))
    (folder / "config.json").write_text(json.dumps(config | changes))
    return folder / "model.safetensors"


@pytest.mark.parametrize(
    ("name", "changes", "refusal"),
    [
        ("llama", {"model_type": "gemma"}, "a model of the kind 'gemma'.* take a model built like BERT, GPT-2, LLaMA"),
        ("llama", {"hidden_act": "gelu"}, "hidden_act = 'gelu'"),
        ("llama", {"rope_parameters": {"rope_type": "yarn"}}, "stretched as 'yarn'"),
        ("llama", {"rms_norm_eps": -1}, "rms_norm_eps is -1"),
        ("llama", {"rope_theta": math.nan}, "rope_theta is nan"),
        ("gpt2", {"activation_function": "relu"}, "activation_function = 'relu'"),
        ("gpt2", {"scale_attn_by_inverse_layer_idx": True}, "scale_attn_by_inverse_layer_idx"),
    ],
)
def test_what_is_built_otherwise_is_refused(
    tmp_path: Path, name: str, changes: dict[str, object], refusal: str
) -> None:
    with pytest.raises(CommandError, match=refusal):
        run(copied(tmp_path, name, **changes), "--text", "it")


def changed(folder: Path, name: str, change: dict[str, Any]) -> Path:
    path = copied(folder, name)
    model = open_model_file(path)
    arrays = {tensor: model.parameter(tensor).copy() for tensor in model.tensors}
    del model
    path.unlink()
    return write_safetensors(path, arrays | change)


@pytest.mark.parametrize(
    ("name", "change", "refusal"),
    [
        ("llama", {"layers.0.mlp.up_proj.weight": np.full((24, 16), np.nan, np.float32)}, "not a number"),
        ("llama", {"layers.0.self_attn.q_norm.weight": np.ones(4, np.float32)}, "q_norm.weight is no part"),
        ("llama", {"layers.0.mlp.down_proj.weight": np.ones((16, 5), np.float32)}, "cannot take vectors of 24"),
        ("llama", {"layers.0.input_layernorm.weight": np.ones(3, np.float32)}, "a vector of 16 numbers is needed"),
        ("llama", {"layers.0.self_attn.o_proj.weight": np.ones((1, 16), np.float32)}, "makes no vectors of 16 numbers"),
        ("llama", {"layers.0.mlp.up_proj.weight": np.ones((1, 16), np.float32)}, "makes no vectors of 24 numbers"),
        ("llama", {"layers.0.mlp.down_proj.weight": np.ones((1, 24), np.float32)}, "makes no vectors of 16 numbers"),
        ("gpt2", {"wpe.weight": np.ones((64, 1), np.float32)}, "rows of 1 numbers, and here 16 are needed"),
        ("gpt2", {"wte.weight": np.ones((2, 16), np.float32)}, "more tokens than the 2 rows"),
        ("gpt2", {"wpe.weight": np.ones((1, 16), np.float32)}, "more than the 1 that"),
    ],
)
def test_hostile_parameters_are_refused(tmp_path: Path, name: str, change: dict[str, Any], refusal: str) -> None:
    with pytest.raises(CommandError, match=refusal):
        run(changed(tmp_path, name, change), "--text", "it is")


def test_layers_that_are_only_said_to_be_there_are_refused(tmp_path: Path) -> None:
    with pytest.raises(CommandError, match="no W_q, W_k, W_v of layer 9"):
        call_command(
            "import_weights",
            str(copied(tmp_path, "llama", num_hidden_layers=99)),
            "--layer=9",
            "--head=0",
            "--text=it",
            stdout=StringIO(),
        )


@pytest.mark.parametrize(
    ("change", "refusal"),
    [
        ({"type": "Unigram"}, "cuts by 'Unigram'"),
        ({"merges": [["", "a"]]}, "join 0 makes"),
        ({"merges": [["a", "nowhere"]]}, "join 0 makes"),
        ({"merges": ["a b c"]}, "join 0 is no pair"),
        ({"vocab": {"a": -1}}, "gives each token, a text, one number"),
        ({"vocab": {str(n): n for n in range(1_000_001)}, "merges": []}, "is too large"),
    ],
)
def test_hostile_tokenizer_is_refused(tmp_path: Path, change: dict[str, Any], refusal: str) -> None:
    path = copied(tmp_path, "gpt2")
    written = json.loads((tmp_path / "tokenizer.json").read_text(encoding="utf-8"))
    (tmp_path / "tokenizer.json").write_text(json.dumps(written | {"model": written["model"] | change}))

    with pytest.raises(WeightsError, match=refusal):
        read_tokenizer(open_model_file(path))


def test_text_too_long_and_tokenizer_not_there_are_refused(tmp_path: Path) -> None:
    path = copied(tmp_path, "llama")
    with pytest.raises(CommandError, match="2001 characters is too long"):
        run(path, "--text", "a" * 2001)

    (tmp_path / "tokenizer.json").unlink()
    with pytest.raises(CommandError, match=r"no tokenizer\.json beside"):
        run(path, "--text", "it")


def test_scaling_of_unknown_kind_or_size_is_refused() -> None:
    assert read_scaling(None) == {}
    with pytest.raises(WeightsError, match="factor is inf"):
        read_scaling({"rope_type": "llama3", "factor": math.inf})
    with pytest.raises(WeightsError, match="cannot be turned"):
        Rotation().turn(np.ones((1, 2, 3)))
    with pytest.raises(WeightsError, match="positive numbers"):
        Rotation(divisors=np.zeros(2)).turn(np.ones((1, 2, 4)))


def test_runner_of_a_llama_is_one(tmp_path: Path) -> None:
    model = open_model_file(copied(tmp_path, "llama"))

    found = read_runner(model, read_settings(model))

    assert (isinstance(found, Llama), found.heads) == (True, Heads(4, 2))
