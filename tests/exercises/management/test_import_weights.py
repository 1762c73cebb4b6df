from __future__ import annotations

import json
from io import StringIO
from pathlib import Path

import numpy as np
import pytest
from django.core.management import CommandError, call_command

from exercises.management.commands import import_weights
from tests.grader.weights.bert_graph import random_parameters
from tests.grader.weights.files import write_gguf, write_safetensors

VOCABULARY = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "the", "animal", "was", "tired", "it"]
GROUPED = {
    "blk.0.attn_q.weight": np.ones((8, 6), np.float32),
    "blk.0.attn_k.weight": np.ones((4, 6), np.float32),
    "blk.0.attn_v.weight": np.ones((4, 6), np.float32),
}


def run(*words: object) -> list[str]:
    out = StringIO()
    call_command("import_weights", *map(str, words), stdout=out)
    return out.getvalue().splitlines()


@pytest.fixture
def bert(tmp_path: Path) -> Path:
    path = write_safetensors(tmp_path / "m.safetensors", random_parameters(2, 8, len(VOCABULARY)))
    path.with_name("config.json").write_text(json.dumps({"num_attention_heads": 2}))
    path.with_name("vocab.txt").write_text("\n".join(VOCABULARY))
    return path


def test_matrices_of_a_head_are_described_in_the_row_convention(bert: Path) -> None:
    lines = run(bert, "--layer", 1, "--head", 0)

    assert lines[0].startswith("m.safetensors: safetensors, 37 tensors, ")
    assert lines[1:] == [
        "layer 1, head 0 of 2, in the row convention:",
        "  W_Q [8, 4], b_q [4], from encoder.layer.1.attention.self.query.weight (F32)",
        "  W_K [8, 4], b_k [4], from encoder.layer.1.attention.self.key.weight (F32)",
        "  W_V [8, 4], b_v [4], from encoder.layer.1.attention.self.value.weight (F32)",
    ]


def test_sentence_is_run_layer_by_layer_and_written_for_a_lab(bert: Path, tmp_path: Path) -> None:
    out = tmp_path / "lab.json"

    lines = run(bert, "--layer", 1, "--head", 0, "--text", "The animal was tired", "--out", out)

    assert lines[5:8] == [
        "6 tokens: [CLS] the animal was tired [SEP]",
        "  through layer 0",
        "whom each token looks at most:",
    ]
    assert lines[-1] == f"written: {out}"
    lab = json.loads(out.read_text(encoding="utf-8"))
    assert lab["tokens"] == ["[CLS]", "the", "animal", "was", "tired", "[SEP]"]
    assert [np.shape(lab[name]) for name in "QKV"] == [(6, 4)] * 3
    assert [np.shape(lab["about"][name]) for name in ("logits", "attn_weights")] == [(6, 6)] * 2
    assert {key: lab["about"][key] for key in ("file", "text", "layer", "head")} == {
        "file": "m.safetensors",
        "text": "The animal was tired",
        "layer": 1,
        "head": 0,
    }
    assert sorted(path.name for path in tmp_path.iterdir()) == ["config.json", "lab.json", "m.safetensors", "vocab.txt"]


def test_grouped_heads_and_missing_biases_are_said(tmp_path: Path) -> None:
    metadata: dict[str, int | str] = {"general.architecture": "llama", "llama.attention.head_count": 4}
    path = write_gguf(tmp_path / "m.gguf", GROUPED, metadata)

    lines = run(path, "--layer", 0, "--head", 3)

    assert lines[2] == "  W_Q [6, 2], no bias, from blk.0.attn_q.weight (F32)"
    assert lines[-1] == "  4 heads share 2 heads of keys and values"


def test_fused_matrix_is_named_for_all_three(tmp_path: Path) -> None:
    path = write_safetensors(tmp_path / "m.safetensors", {"h.0.attn.c_attn.weight": np.ones((4, 12), np.float32)})

    lines = run(path, "--layer", 0, "--head", 0, "--heads", 2)

    assert [line.partition(", from ")[2] for line in lines[2:]] == ["h.0.attn.c_attn.weight (F32)"] * 3


@pytest.mark.parametrize(
    ("words", "refusal"),
    [
        (("--layer", 9, "--head", 0), "no W_q, W_k, W_v of layer 9"),
        (("--layer", 0, "--head", 2), "has heads 0 to 1, and no head 2"),
        (("--layer", 0, "--head", 0, "--heads", 3), "cannot be 3 heads"),
        (("--layer", 0, "--head", 0, "--heads", -1), "at least one head"),
        (("--layer", 0, "--head", 0, "--out", "lab.json"), "--out needs --text"),
        (("--layer", 0, "--head", 0, "--text", "it", "--vocab", "/nowhere/vocab.txt"), "vocabulary cannot be read"),
        (("--layer", 0, "--head", 0, "--text", "it", "--out", "/nowhere/lab.json"), "cannot be written"),
    ],
)
def test_what_cannot_be_done_is_said_in_one_sentence(bert: Path, words: tuple[object, ...], refusal: str) -> None:
    with pytest.raises(CommandError, match=refusal):
        run(bert, *words)


def test_broken_file_is_refused(tmp_path: Path) -> None:
    (tmp_path / "m.safetensors").write_bytes(b"\xff" * 8 + b"{")

    with pytest.raises(CommandError, match=r"m\.safetensors: the header should have"):
        run(tmp_path / "m.safetensors", "--layer", 0, "--head", 0)


def test_without_a_file_the_extra_is_read_or_asked_for(bert: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(import_weights, "installed_model", lambda: bert)
    assert run("--layer", 0, "--head", 0)[0].startswith("m.safetensors")

    monkeypatch.setattr(import_weights, "installed_model", lambda: None)
    with pytest.raises(CommandError, match="make weights"):
        run("--layer", 0, "--head", 0)
