from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from grader.weights import Bert, Heads, WeightsError, open_model_file
from tests.grader.weights.bert_graph import BertGraph, random_parameters, run
from tests.grader.weights.files import write_gguf, write_safetensors

LAYERS, WIDTH, HEADS, VOCABULARY = 2, 8, 2, 9
IDS = [2, 4, 8, 0, 3]
PARAMETERS = random_parameters(LAYERS, WIDTH, VOCABULARY)
GRAPH = BertGraph(PARAMETERS, LAYERS, HEADS).model()
GGUF_NAMES = {
    "embeddings.word_embeddings": "token_embd",
    "embeddings.position_embeddings": "position_embd",
    "embeddings.token_type_embeddings": "token_types",
    "embeddings.LayerNorm": "token_embd_norm",
    "encoder.layer.": "blk.",
    "attention.self.query": "attn_q",
    "attention.self.key": "attn_k",
    "attention.self.value": "attn_v",
    "attention.output.dense": "attn_output",
    "attention.output.LayerNorm": "attn_output_norm",
    "intermediate.dense": "ffn_up",
    "output.dense": "ffn_down",
    "output.LayerNorm": "layer_output_norm",
}


def as_gguf(name: str) -> str:
    for ours, theirs in GGUF_NAMES.items():
        name = name.replace(ours, theirs)
    return name


def written(path: Path, form: str) -> Path:
    if form == "onnx":
        (path / "m.onnx").write_bytes(GRAPH.SerializeToString())
        return path / "m.onnx"
    if form == "gguf":
        return write_gguf(path / "m.gguf", {as_gguf(name): array for name, array in PARAMETERS.items()}, {})
    prefix = "bert." if form == "prefixed" else ""
    return write_safetensors(path / "m.safetensors", {prefix + name: array for name, array in PARAMETERS.items()})


@pytest.mark.parametrize("form", ["safetensors", "prefixed", "gguf", "onnx"])
def test_every_layer_and_head_is_what_an_independent_pass_computes(tmp_path: Path, form: str) -> None:
    bert = Bert(open_model_file(written(tmp_path, form)), Heads(HEADS))
    last, *maps = run(GRAPH, IDS)

    X = bert.embed(IDS)
    for layer, expected in enumerate(maps):
        for head in range(HEADS):
            found = bert.head(layer, head, X)
            assert np.abs(found.attn_weights - expected[head]).max() < 1e-5
        X = bert.through_layer(layer, X)

    assert np.abs(X - last).max() < 2e-4


def test_head_gives_its_queries_keys_and_values(tmp_path: Path) -> None:
    bert = Bert(open_model_file(written(tmp_path, "safetensors")), Heads(HEADS))

    found = bert.head(0, 1, bert.embed(IDS))

    assert [array.shape for array in (found.q, found.k, found.v)] == [(5, 4)] * 3
    assert np.allclose(found.logits, found.q @ found.k.T / 2)


def test_sentence_longer_than_the_model_is_refused(tmp_path: Path) -> None:
    bert = Bert(open_model_file(written(tmp_path, "safetensors")), Heads(HEADS))

    with pytest.raises(WeightsError, match="17 tokens are more than the 16"):
        bert.embed([1] * 17)
    with pytest.raises(WeightsError, match="more tokens than the 9 rows"):
        bert.embed([9])


def test_model_of_another_kind_can_be_read_but_not_run(tmp_path: Path) -> None:
    path = write_safetensors(tmp_path / "m.safetensors", {"h.0.attn.c_attn.weight": np.ones((2, 6), np.float32)})

    with pytest.raises(WeightsError, match=r"can be read, but not run on a sentence.* Leave the text out"):
        Bert(open_model_file(path), Heads(1))
