from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from grader.attention.projection import project_rows
from grader.weights import Heads, LayerProjections, WeightsError, open_model_file, read_projections, tensor_list
from tests.grader.weights.files import write_safetensors

Floats = NDArray[np.float32]
HEADS, D_HEAD, D = 3, 2, 5
RNG = np.random.default_rng(3)
# What every family's file must come back as, in the row convention.
W = {role: RNG.normal(size=(D, HEADS * D_HEAD)).astype(np.float32) for role in "QKV"}
B = {role: RNG.normal(size=HEADS * D_HEAD).astype(np.float32) for role in "QKV"}


def apart(pattern: str, parts: tuple[str, str, str]) -> dict[str, Floats]:
    """Three matrices [out, in], as PyTorch stores them."""
    found = {}
    for role, part in zip("QKV", parts, strict=True):
        found |= {f"{pattern.format(part)}.weight": W[role].T, f"{pattern.format(part)}.bias": B[role]}
    return found


def in_blocks() -> tuple[Floats, Floats]:
    """All queries, all keys, all values: [3 · out, in]."""
    return np.concatenate([W[role].T for role in "QKV"]), np.concatenate([B[role] for role in "QKV"])


def by_head() -> tuple[Floats, Floats]:
    """Head after head, each with its query, key and value rows: [3 · out, in]."""
    rows, biases = [], []
    for head in range(HEADS):
        for role in "QKV":
            columns = slice(head * D_HEAD, (head + 1) * D_HEAD)
            rows.append(W[role].T[columns])
            biases.append(B[role][columns])
    return np.concatenate(rows), np.concatenate(biases)


def fused(name: str, matrix: Floats, bias: Floats) -> dict[str, Floats]:
    return {f"{name}.weight": matrix, f"{name}.bias": bias}


FAMILIES = {
    "BERT": apart("encoder.layer.2.attention.self.{}", ("query", "key", "value")),
    "BERT with a prefix": apart("bert.encoder.layer.2.attention.self.{}", ("query", "key", "value")),
    "DistilBERT": apart("distilbert.transformer.layer.2.attention.{}", ("q_lin", "k_lin", "v_lin")),
    "LLaMA": apart("model.layers.2.self_attn.{}", ("q_proj", "k_proj", "v_proj")),
    "GPT-2": fused("transformer.h.2.attn.c_attn", in_blocks()[0].T, in_blocks()[1]),
    "GPT-2 without a prefix": fused("h.2.attn.c_attn", in_blocks()[0].T, in_blocks()[1]),
    "BLOOM": fused("transformer.h.2.self_attention.query_key_value", *by_head()),
    "GPT-NeoX": fused("gpt_neox.layers.2.attention.query_key_value", *by_head()),
    "GGUF": apart("blk.2.attn_{}", ("q", "k", "v")),
    "GGUF, fused": fused("blk.2.attn_qkv", *in_blocks()),
}


def read(path: Path, arrays: dict[str, Floats], heads: Heads | None = None, layer: int = 2) -> LayerProjections:
    return read_projections(
        open_model_file(write_safetensors(path / "m.safetensors", arrays)), layer, heads or Heads(HEADS)
    )


@pytest.mark.parametrize("arrays", FAMILIES.values(), ids=FAMILIES)
def test_every_family_comes_out_alike_in_the_row_convention(tmp_path: Path, arrays: dict[str, Floats]) -> None:
    found = read(tmp_path, arrays)

    for role in "QKV":
        bias = found.by_role[role].b
        assert found.by_role[role].W.tolist() == W[role].tolist()
        assert bias is not None
        assert bias.tolist() == B[role].tolist()


@pytest.mark.parametrize("arrays", FAMILIES.values(), ids=FAMILIES)
def test_biases_may_be_left_out(tmp_path: Path, arrays: dict[str, Floats]) -> None:
    found = read(tmp_path, {name: array for name, array in arrays.items() if name.endswith(".weight")})

    assert [found.by_role[role].b for role in "QKV"] == [None, None, None]


def test_head_is_its_share_of_the_whole_query(tmp_path: Path) -> None:
    found, x = read(tmp_path, FAMILIES["BERT"]), RNG.normal(size=D).astype(np.float32)

    whole = project_rows(x, W["Q"], B["Q"])
    heads = [project_rows(x, part["Q"].W, part["Q"].b) for part in map(found.head, range(HEADS))]

    assert np.concatenate(heads).tolist() == pytest.approx(whole.tolist(), abs=1e-5)


def test_grouped_heads_share_their_key_head(tmp_path: Path) -> None:
    arrays = {
        "model.layers.2.self_attn.q_proj.weight": RNG.normal(size=(8, D)).astype(np.float32),
        "model.layers.2.self_attn.k_proj.weight": RNG.normal(size=(4, D)).astype(np.float32),
        "model.layers.2.self_attn.v_proj.weight": RNG.normal(size=(4, D)).astype(np.float32),
    }

    found = read(tmp_path, arrays, Heads(4))

    assert (found.key_heads, found.d_head) == (2, 2)
    keys = [found.head(head)["K"].W.tolist() for head in range(4)]
    assert keys[0] == keys[1] == found.by_role["K"].W[:, :2].tolist()
    assert keys[2] == keys[3] == found.by_role["K"].W[:, 2:].tolist()


def test_fused_grouped_heads_are_cut_by_their_sizes(tmp_path: Path) -> None:
    rows = RNG.normal(size=(8 + 4 + 4, D)).astype(np.float32)

    found = read(tmp_path, {"blk.2.attn_qkv.weight": rows}, Heads(4, 2))

    assert found.by_role["K"].W.tolist() == rows[8:12].T.tolist()


@pytest.mark.parametrize("head", [-1, HEADS])
def test_head_that_is_not_there_is_refused(tmp_path: Path, head: int) -> None:
    with pytest.raises(WeightsError, match=f"has heads 0 to 2, and no head {head}"):
        read(tmp_path, FAMILIES["BERT"]).head(head)


Q, K, V = (f"encoder.layer.2.attention.self.{part}" for part in ("query", "key", "value"))
PLAIN = {f"{name}.weight": np.ones((6, D), np.float32) for name in (Q, K, V)}
REFUSED = {
    "a layer that is not there": ({**PLAIN}, Heads(3), 7, "no W_q, W_k, W_v of layer 7"),
    "one of the three missing": ({f"{Q}.weight": PLAIN[f"{Q}.weight"]}, Heads(3), 2, "no W_q, W_k, W_v of layer 2"),
    "inputs of another width": (
        {**PLAIN, f"{K}.weight": np.ones((6, 9), np.float32)},
        Heads(3),
        2,
        "do not go together",
    ),
    "keys unlike values": ({**PLAIN, f"{K}.weight": np.ones((4, D), np.float32)}, Heads(3), 2, "do not go together"),
    "no matrix": ({**PLAIN, f"{Q}.weight": np.ones(6, np.float32)}, Heads(3), 2, "is no matrix"),
    "one bias of three": ({**PLAIN, f"{Q}.bias": np.ones(6, np.float32)}, Heads(3), 2, "or none of them"),
    "a bias too long": (
        {**PLAIN, **{f"{name}.bias": np.ones(7, np.float32) for name in (Q, K, V)}},
        Heads(3),
        2,
        "do not fit their matrices",
    ),
    "heads that do not divide": ({**PLAIN}, Heads(4), 2, "cannot be 4 heads"),
    "more heads than numbers": ({**PLAIN}, Heads(100), 2, "cannot be 100 heads"),
    "key heads that are not there": ({**PLAIN}, Heads(3, 1), 2, "has 3 heads of keys"),
    "two layers of one name": (
        {**PLAIN, **{f"other.{name}": array for name, array in PLAIN.items()}},
        Heads(3),
        2,
        "several tensors are called",
    ),
    "fused rows that cannot be cut": (
        {"blk.2.attn_qkv.weight": np.ones((7, D), np.float32)},
        Heads(2),
        2,
        "7 fused rows",
    ),
    "fused by head that cannot be cut": (
        {"h.2.self_attention.query_key_value.weight": np.ones((7, D), np.float32)},
        Heads(2),
        2,
        "7 fused rows",
    ),
}


@pytest.mark.parametrize(("arrays", "heads", "layer", "words"), REFUSED.values(), ids=REFUSED)
def test_what_does_not_fit_is_refused(
    tmp_path: Path, arrays: dict[str, Floats], heads: Heads, layer: int, words: str
) -> None:
    with pytest.raises(WeightsError, match=words):
        read(tmp_path, arrays, heads, layer)


def test_refusal_lists_the_matrices_that_there_are(tmp_path: Path) -> None:
    arrays = {f"tensor.{number}": np.ones((1, 2), np.float32) for number in range(45)}
    model = open_model_file(write_safetensors(tmp_path / "m.safetensors", arrays))

    lines = tensor_list(model).splitlines()

    assert lines[1] == "  tensor.0  F32 [1, 2]"
    assert lines[-1] == "  … and 5 more"


@pytest.mark.parametrize("heads", [(0, None), (-3, None), (4, 0), (4, -1)])
def test_layer_without_heads_is_refused(heads: tuple[int, int | None]) -> None:
    with pytest.raises(WeightsError, match="at least one head"):
        Heads(*heads)
