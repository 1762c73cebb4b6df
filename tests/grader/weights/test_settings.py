from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from grader.weights import Heads, ModelFile, WeightsError, open_model_file, read_settings
from tests.grader.weights.files import write_gguf, write_safetensors

ARRAYS = {"a": np.ones(1, np.float32)}


@pytest.fixture
def model(tmp_path: Path) -> ModelFile:
    return open_model_file(write_safetensors(tmp_path / "m.safetensors", ARRAYS))


def write(model: ModelFile, name: str, content: object) -> None:
    model.path.with_name(name).write_text(content if isinstance(content, str) else json.dumps(content))


@pytest.mark.parametrize("key", ["num_attention_heads", "n_head", "n_heads"])
def test_heads_come_from_the_config_beside_the_file(model: ModelFile, key: str) -> None:
    write(model, "config.json", {key: 12, "num_key_value_heads": 4, "layer_norm_eps": 1e-5})
    write(model, "tokenizer_config.json", {"do_lower_case": False})

    found = read_settings(model)

    assert (found.heads, found.epsilon, found.is_lower) == (Heads(12, 4), 1e-5, False)


def test_heads_given_by_hand_win(model: ModelFile) -> None:
    write(model, "config.json", {"n_head": 12})

    assert read_settings(model, 6).heads == Heads(6)


def test_without_a_number_of_heads_one_is_asked_for(model: ModelFile) -> None:
    write(model, "config.json", {"n_head": None})

    with pytest.raises(WeightsError, match="give --heads"):
        read_settings(model)


@pytest.mark.parametrize(
    ("config", "refusal"),
    [
        ({"n_head": "12"}, "n_head is '12', and should be a whole number from 1 on"),
        ({"n_head": True}, "n_head is True"),
        ({"n_head": 0}, "n_head is 0"),
        ({"n_head": 2, "num_key_value_heads": -1}, "num_key_value_heads is -1"),
        ({"n_head": 2, "layer_norm_eps": -1}, "layer_norm_eps is -1, and should be a number between 0 and 1"),
        ({"n_head": ["x" * 1000]}, r"n_head is \['x{40,60}…, and"),
        ([], r"config\.json holds no object"),
    ],
)
def test_config_that_lies_is_refused(model: ModelFile, config: object, refusal: str) -> None:
    write(model, "config.json", config)

    with pytest.raises(WeightsError, match=refusal):
        read_settings(model)


def test_number_of_heads_given_by_hand_is_held_against_the_matrices(model: ModelFile) -> None:
    with pytest.raises(WeightsError, match="at least one head"):
        read_settings(model, 0)


@pytest.mark.parametrize("content", ["{", "[" * 100_000])
def test_config_that_cannot_be_read_is_refused(model: ModelFile, content: str) -> None:
    write(model, "config.json", content)

    with pytest.raises(WeightsError, match=r"config\.json cannot be read"):
        read_settings(model)


def test_huge_config_is_refused(model: ModelFile) -> None:
    with model.path.with_name("config.json").open("wb") as file:
        file.truncate(2**30)

    with pytest.raises(WeightsError, match="too large"):
        read_settings(model)


def test_gguf_says_it_in_its_metadata(tmp_path: Path) -> None:
    metadata: dict[str, int | str] = {
        "general.architecture": "llama",
        "llama.attention.head_count": 9,
        "llama.attention.head_count_kv": 3,
    }
    model = open_model_file(write_gguf(tmp_path / "m.gguf", ARRAYS, metadata))

    assert read_settings(model).heads == Heads(9, 3)


def test_gguf_without_it_asks(tmp_path: Path) -> None:
    model = open_model_file(write_gguf(tmp_path / "m.gguf", ARRAYS, {"general.architecture": "llama"}))

    with pytest.raises(WeightsError, match="give --heads"):
        read_settings(model)
