"""The lesson's model and its numbers, against an independent forward pass of the same file."""

from __future__ import annotations

import json
import re
from io import StringIO
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from django.core.management import call_command

from grader.marking.either import told
from grader.marking.items import Convention
from grader.weights import (
    Bert,
    Heads,
    WordPiece,
    installed_model,
    lab_data,
    lab_text,
    open_model_file,
    read_projections,
    read_settings,
)
from grader.weights.tensors import ModelFile
from tests.grader.weights.bert_graph import BertGraph, run

LESSON = Path(__file__).parents[3] / "content" / "qkv" / "lessons" / "weights"
LAYER, HEAD = 3, 1
LABS = sorted((LESSON / "labs").glob("*.json"))


@pytest.fixture(scope="module")
def model() -> ModelFile:
    path = installed_model()
    if path is None:
        pytest.skip("the extra `weights` is not installed: run `make weights`")
    return open_model_file(path)


@pytest.fixture(scope="module")
def bert(model: ModelFile) -> Bert:
    settings = read_settings(model)
    return Bert(model, settings.heads, settings.epsilon)


@pytest.fixture(scope="module")
def words(model: ModelFile) -> WordPiece:
    return WordPiece.from_file(model.path.with_name("vocab.txt"))


def read_lab(name: str) -> dict[str, Any]:
    found: dict[str, Any] = json.loads((LESSON / "labs" / f"{name}.json").read_text(encoding="utf-8"))
    return found


def test_every_attention_map_is_what_an_independent_pass_computes(bert: Bert, words: WordPiece) -> None:
    ids = words.ids(words.tokens(read_lab("street")["about"]["text"]))
    names = [name for name in bert.model.tensors if name.startswith(("embeddings.", "encoder.")) and "_ids" not in name]
    parameters = {name: bert.model.parameter(name) for name in names}
    last, *maps = run(BertGraph(parameters, 6, 12).model(), ids)

    X = bert.embed(ids)
    for layer, expected in enumerate(maps):
        found = np.stack([bert.head(layer, head, X).attn_weights for head in range(12)])
        assert np.abs(found - expected).max() < 1e-5
        X = bert.through_layer(layer, X)

    assert np.abs(X - last).max() < 1e-4


@pytest.mark.parametrize("path", LABS, ids=lambda path: path.stem)
def test_shipped_labs_are_what_the_model_gives(bert: Bert, words: WordPiece, path: Path) -> None:
    shipped = path.read_text(encoding="utf-8")
    about = {key: json.loads(shipped)["about"][key] for key in ("file", "text", "layer", "head")}
    tokens = words.tokens(about["text"])

    X = bert.embed(words.ids(tokens))
    for layer in range(LAYER):
        X = bert.through_layer(layer, X)

    assert lab_text(lab_data(tokens, bert.head(LAYER, HEAD, X), about)) == shipped


def test_bytes_of_the_lesson_are_the_files(model: ModelFile) -> None:
    tensor = model.tensors["encoder.layer.3.attention.self.query.weight"]

    assert (len(model.content), len(model.tensors), tensor.start, tensor.size) == (90868376, 104, 70170776, 589824)
    assert model.content[tensor.start : tensor.start + 4].tobytes().hex() == "1aa94c3d"
    assert sum(t.size // 4 for t in model.tensors.values() if t.storage == "F32") == 22713216


def test_two_heads_of_72_give_animal_more_than_half(bert: Bert, words: WordPiece) -> None:
    tokens = words.tokens(read_lab("street")["about"]["text"])
    X, shares = bert.embed(words.ids(tokens)), {}
    for layer in range(6):
        for head in range(12):
            row = bert.head(layer, head, X).attn_weights[tokens.index("it")]
            shares[layer, head] = float(row[tokens.index("animal")])
        X = bert.through_layer(layer, X)

    assert {place: round(share, 3) for place, share in shares.items() if share > 0.5} == {(3, 1): 0.688, (5, 11): 0.658}
    assert round(sum(shares.values()) / 72, 3) == 0.075


def test_wide_shakes_the_head_and_does_not_turn_it(bert: Bert, words: WordPiece) -> None:
    tokens = words.tokens("The animal did not cross the street because it was too wide.")
    X = bert.embed(words.ids(tokens))
    for layer in range(LAYER):
        X = bert.through_layer(layer, X)

    row = dict(zip(tokens, bert.head(LAYER, HEAD, X).attn_weights[tokens.index("it")].round(2).tolist(), strict=True))

    assert (row["animal"], row["street"], row["[CLS]"]) == (0.32, 0.15, 0.29)


@pytest.mark.parametrize("language", ["zh-hans", "en"])
def test_map_of_the_lesson_is_the_shipped_one(language: str) -> None:
    lab = read_lab("street")
    table = re.search(
        r"^::: heatmap\n(.*?)^:::", (LESSON / f"lesson.{language}.md").read_text(), re.DOTALL | re.MULTILINE
    )
    assert table is not None
    head, _, *rows = [[cell.strip() for cell in line.strip("|").split("|")] for line in table[1].splitlines()]

    assert head == ["", *lab["tokens"]]
    assert [row[0] for row in rows] == lab["tokens"]
    expected = [[round(100 * share) for share in row] for row in lab["about"]["attn_weights"]]
    assert [[int(cell) for cell in row[1:]] for row in rows] == expected


@pytest.mark.parametrize("name", ["street", "it-animal"])
def test_shipped_lab_follows_from_its_own_queries_and_keys(name: str) -> None:
    lab = read_lab(name)
    Q, K = np.array(lab["Q"]), np.array(lab["K"])

    logits = Q @ K.T / np.sqrt(32)
    shares = np.exp(logits) / np.exp(logits).sum(axis=1, keepdims=True)

    assert np.abs(logits - lab["about"]["logits"]).max() <= 5.1e-5
    assert np.abs(shares - lab["about"]["attn_weights"]).max() <= 5.1e-5
    it, animal = lab["tokens"].index("it"), lab["tokens"].index("animal")
    assert int(shares[it].argmax()) == animal


def test_it_looks_at_animal_and_animal_does_not_look_back() -> None:
    lab = read_lab("street")
    it, animal, start = (lab["tokens"].index(token) for token in ("it", "animal", "[CLS]"))
    shares, logits = lab["about"]["attn_weights"], lab["about"]["logits"]

    assert (round(shares[it][animal], 3), round(shares[animal][it], 2)) == (0.688, 0.02)
    assert (round(logits[it][animal], 3), logits[it][start]) == (3.885, 1.965)
    assert sum(int(np.argmax(row)) == start for row in shares) == 9


@pytest.mark.parametrize("language", ["zh-hans", "en"])
def test_page_for_teachers_shows_what_the_command_prints(model: ModelFile, language: str) -> None:
    page = (LESSON.parents[3] / "docs" / "teacher" / f"weights.{language}.md").read_text(encoding="utf-8")
    shown = re.search(r"^```text\n(.*?)^```", page, re.DOTALL | re.MULTILINE)
    assert shown is not None
    out = StringIO()

    call_command(
        "import_weights", "--layer", "3", "--head", "1", "--text", read_lab("street")["about"]["text"], stdout=out
    )

    assert out.getvalue() == shown[1]


def test_code_of_the_lesson_gives_the_matrix_of_the_head(model: ModelFile) -> None:
    lines = re.search(
        r"^```python\n(.*?)^```", (LESSON / "lesson.en.md").read_text(encoding="utf-8"), re.DOTALL | re.MULTILINE
    )
    assert lines is not None
    names: dict[str, Any] = {"file": model.path.read_bytes(), "json": json, "np": np}

    exec(told(lines[1], Convention.ROW), names)

    expected = read_projections(model, LAYER, Heads(12)).head(HEAD)["Q"].W
    assert names["W_Q"].tolist() == expected.tolist()
