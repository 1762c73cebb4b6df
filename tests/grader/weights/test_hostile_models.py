"""Decoders whose metadata lie: every lie ends in one sentence, and before a wrong table is shown."""

from __future__ import annotations

import json
import math
import shutil
import struct
from collections.abc import Callable
from io import StringIO
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from django.core.management import CommandError, call_command
from hypothesis import given
from hypothesis import strategies as st

from grader.weights import (
    BytePairs,
    WeightsError,
    open_model_file,
    read_runner,
    read_settings,
    read_tokenizer,
    run_to_head,
)
from grader.weights.sentence import MAX_SENTENCE, MAX_TEXT
from tests.grader.weights.files import GGUF_F32, gguf_bytes, gguf_tensor, gguf_text, write_safetensors

FIXTURES = Path(__file__).parents[2] / "fixtures" / "decoders"
GGML = "tokenizer.ggml"
Metadata = dict[str, Any]


def value_bytes(value: object) -> bytes:
    """A value with its type in front, as GGUF writes it."""
    if isinstance(value, bool):
        return struct.pack("<I?", 7, value)
    if isinstance(value, int):
        return struct.pack("<Iq", 11, value)
    if isinstance(value, float):
        return struct.pack("<If", 6, value)
    if isinstance(value, str):
        return struct.pack("<I", 8) + gguf_text(value)
    assert isinstance(value, list)
    one = value_bytes(value[0])[:4] if value else struct.pack("<I", 4)
    return (
        struct.pack("<I", 9) + one + struct.pack("<Q", len(value)) + b"".join(value_bytes(each)[4:] for each in value)
    )


def lying(folder: Path, name: str, change: Callable[[Metadata], None]) -> Path:
    """A fixture written anew with other metadata."""
    model = open_model_file(FIXTURES / name)
    metadata: Metadata = dict(model.metadata)
    change(metadata)
    tensors, numbers = [], b""
    for tensor in model.tensors:
        stored = np.ascontiguousarray(model.parameter(tensor), "<f4")
        tensors.append(gguf_tensor(tensor, list(stored.shape[::-1]), GGUF_F32, len(numbers)))
        numbers += stored.tobytes() + b"\0" * (-stored.nbytes % 32)
    entries = [gguf_text(key) + value_bytes(value) for key, value in metadata.items()]
    (folder / "lie.gguf").write_bytes(gguf_bytes(entries, tensors, numbers))
    return folder / "lie.gguf"


def look(path: Path, text: str = "the cat", *more: str) -> str:
    out = StringIO()
    call_command("import_weights", str(path), "--layer=1", "--head=1", f"--text={text}", *more, stdout=out)
    return out.getvalue()


def said(key: str, value: object) -> Callable[[Metadata], None]:
    return lambda metadata: metadata.update({key: value})


def at(key: str, place: int, value: object) -> Callable[[Metadata], None]:
    return lambda metadata: metadata.update({key: [*metadata[key][:place], value, *metadata[key][place + 1 :]]})


def cut(key: str, kept: int) -> Callable[[Metadata], None]:
    return lambda metadata: metadata.update({key: metadata[key][:kept]})


def without(key: str) -> Callable[[Metadata], None]:
    return lambda metadata: metadata.pop(key)


LIES: dict[str, tuple[str, Callable[[Metadata], None], str]] = {
    "tokens that are numbers": ("llama.gguf", said(f"{GGML}.tokens", [1, 2]), "tokens is no list of texts"),
    "tokens that are one text": ("llama.gguf", said(f"{GGML}.tokens", "abc"), "tokens is no list of texts"),
    "tokens that are lists": ("llama.gguf", said(f"{GGML}.tokens", [["a"], ["b"]]), "tokens is no list of texts"),
    "a token twice": ("llama.gguf", at(f"{GGML}.tokens", 300, "<s>"), "the same token twice"),
    "a score too few": ("llama.gguf", cut(f"{GGML}.scores", 379), "does not have a score for every token"),
    "no scores": ("llama.gguf", without(f"{GGML}.scores"), "does not have a score for every token"),
    "scores in whole numbers": ("llama.gguf", said(f"{GGML}.scores", [1] * 380), "no finite number"),
    "a score without end": ("llama.gguf", at(f"{GGML}.scores", 300, math.inf), "no finite number"),
    "a score that is none": ("llama.gguf", at(f"{GGML}.scores", 300, math.nan), "no finite number"),
    "a kind too few": ("llama.gguf", cut(f"{GGML}.token_type", 379), "one of the kinds 1 to 6 for each of 380"),
    "a kind too few for bytes": ("gpt2.gguf", cut(f"{GGML}.token_type", 319), "one of the kinds 1 to 6 for each of 320"),
    "a kind that is none": ("llama.gguf", at(f"{GGML}.token_type", 9, 7), "one of the kinds 1 to 6"),
    "no merges": ("gpt2.gguf", without(f"{GGML}.merges"), "no list of merges"),
    "merges in one text": ("gpt2.gguf", said(f"{GGML}.merges", "h e"), "no list of merges"),
    "a merge of three": ("gpt2.gguf", at(f"{GGML}.merges", 5, "a b c"), "join 5 is no pair"),
    "a merge of nothing": ("gpt2.gguf", at(f"{GGML}.merges", 5, " e"), "join 5 makes 'e' of two parts"),
    "a merge into nowhere": ("gpt2.gguf", at(f"{GGML}.merges", 5, "q q"), "join 5 makes 'qq' of two parts, which is no"),
    "a merge twice": ("gpt2.gguf", at(f"{GGML}.merges", 5, "h e"), "join 5 is the same as join 1"),
    "a first token beyond all": ("llama.gguf", said(f"{GGML}.bos_token_id", 380), "bos_token_id is 380, and there are 380"),
    "a first token before all": ("llama.gguf", said(f"{GGML}.bos_token_id", -1), "bos_token_id is -1"),
    "a first token in words": ("llama.gguf", said(f"{GGML}.bos_token_id", "<s>"), "bos_token_id is '<s>'"),
    "a first token, unnamed": ("llama.gguf", without(f"{GGML}.bos_token_id"), "does not say with which"),
    "a first token that moves the cursor": ("llama.gguf", at(f"{GGML}.tokens", 1, "\x1b[2J"), "cannot be printed"),
    "a first token of a thousand signs": ("llama.gguf", at(f"{GGML}.tokens", 1, "s" * 1000), "cannot be printed"),
    "a first token, perhaps": ("llama.gguf", said(f"{GGML}.add_bos_token", "perhaps"), "should be true or false"),
    "a last token beyond all": ("llama.gguf", said(f"{GGML}.eos_token_id", 2**40), "eos_token_id is 1099511627776"),
    "a last token after all": ("llama.gguf", said(f"{GGML}.add_eos_token", True), "sets a token after every text"),
    "a space, perhaps": ("llama.gguf", said(f"{GGML}.add_space_prefix", 1), "should be true or false"),
    "another tokenizer": ("gpt2.gguf", said(f"{GGML}.model", "t5"), "the tokenizer is 't5'"),
    "another cut": ("gpt2.gguf", said(f"{GGML}.pre", "x" * 500), "with the cut 'xxx"),
    "half of a head turned": ("llama.gguf", said("llama.rope.dimension_count", 2), "2 numbers of a head are turned"),
    "none of a head turned": ("llama.gguf", said("llama.rope.dimension_count", 0), "dimension_count is 0"),
    "as many heads again": ("llama.gguf", said("llama.attention.head_count", 8), "4 heads of keys|cannot share"),
    "heads that do not divide": ("llama.gguf", said("llama.attention.head_count", 3), "cannot be 3 heads"),
    "heads without end": ("llama.gguf", said("llama.attention.head_count", 2**62), "cannot be 4611686018427387904"),
    "no heads": ("llama.gguf", said("llama.attention.head_count", 0), "head_count is 0"),
    "heads layer by layer": ("llama.gguf", said("llama.attention.head_count", [4, 2]), r"head_count is \[4, 2\]"),
    "keys that nobody shares": ("llama.gguf", said("llama.attention.head_count_kv", 3), "2 heads of keys"),
    "fused heads that do not divide": ("gpt2.gguf", said("gpt2.attention.head_count", 5), "fused rows cannot be those of 5"),
    "a base below 1": ("llama.gguf", said("llama.rope.freq_base", 1e-30), "should be a number between 1 and 1e"),
    "a base that is none": ("llama.gguf", said("llama.rope.freq_base", math.nan), "freq_base is nan"),
    "a base in words": ("llama.gguf", said("llama.rope.freq_base", "10000"), "freq_base is '10000'"),
    "stretched places": ("llama.gguf", said("llama.rope.scaling.type", "linear"), "rope.scaling.type = 'linear'"),
    "stretched places, of no kind": ("llama.gguf", said("llama.rope.scaling.factor", 4.0), "rope.scaling.factor = 4.0"),
    "tokens that see the nearest alone": ("llama.gguf", said("llama.attention.sliding_window", 3), "do not see the whole"),
    "an epsilon beyond 1": ("llama.gguf", said("llama.attention.layer_norm_rms_epsilon", 9.5), "rms_epsilon is 9.5"),
    "an architecture that is a list": ("llama.gguf", said("general.architecture", ["bert"]), "how many heads|of the kind"),
    "an architecture without a name": ("llama.gguf", said("general.architecture", ""), "how many heads|of the kind"),
}  # fmt: skip


@pytest.mark.parametrize(("name", "change", "refusal"), LIES.values(), ids=LIES)
def test_metadata_that_lie_are_refused_in_one_sentence(
    tmp_path: Path, name: str, change: Callable[[Metadata], None], refusal: str
) -> None:
    with pytest.raises(CommandError, match=refusal) as refused:
        look(lying(tmp_path, name, change))

    assert str(refused.value).isprintable()
    assert len(str(refused.value)) < 400


@pytest.mark.parametrize("name", ["llama.gguf", "gpt2.gguf", "qwen2.gguf"])
def test_the_same_files_written_without_a_lie_are_run(tmp_path: Path, name: str) -> None:
    told, expected = (look(path).splitlines()[1:] for path in (lying(tmp_path, name, lambda _: None), FIXTURES / name))

    assert told == expected


def test_what_is_written_in_a_text_is_never_a_token_of_control(tmp_path: Path) -> None:
    def joined_to_control(metadata: Metadata) -> None:
        tokens, scores = list(metadata[f"{GGML}.tokens"]), list(metadata[f"{GGML}.scores"])
        for place, token in enumerate(["<s", "s>", "<", ">"], start=340):
            tokens[place], scores[place] = token, 0.0
        scores[tokens.index("<s>")] = 1.0
        metadata.update({f"{GGML}.tokens": tokens, f"{GGML}.scores": scores})

    words = read_tokenizer(open_model_file(lying(tmp_path, "llama.gguf", joined_to_control)))

    assert words.tokens("<s>").count("<s>") == 1


class Counting:
    """Joins all that is there, and counts how often it was asked."""

    def __init__(self) -> None:
        self.asked = 0

    def __call__(self, left: str, right: str) -> float:
        self.asked += 1
        return 1 / len(left + right)


def test_no_table_of_joins_keeps_a_text_busy() -> None:
    rank = Counting()
    text = "a" * MAX_TEXT

    assert BytePairs({}, rank, "gpt-2").tokens(text) == [text]
    assert rank.asked < 3 * len(text)


@pytest.mark.parametrize(
    "text", [" " * MAX_TEXT, "\n " * (MAX_TEXT // 2), "'" * MAX_TEXT, "1" * MAX_TEXT, "᪰a" * (MAX_TEXT // 2)]
)
@pytest.mark.parametrize("name", ["gpt2", "llama3", "qwen2"])
def test_monstrous_text_is_cut_whole(text: str, name: str) -> None:
    words = read_tokenizer(open_model_file(FIXTURES / name / "model.safetensors"))

    spelled = "".join(token for token in words.tokens(text) if token != words.first)

    assert len(spelled) == len(text.encode())


def test_sentence_of_too_many_tokens_is_refused_before_it_is_run() -> None:
    with pytest.raises(CommandError, match=rf"tokens; {MAX_SENTENCE} are the most"):
        look(FIXTURES / "llama.gguf", "猫" * MAX_TEXT)
    with pytest.raises(CommandError, match="2001 characters is too long"):
        look(FIXTURES / "llama.gguf", "a" * (MAX_TEXT + 1))
    with pytest.raises(CommandError, match="no characters of UTF-8"):
        look(FIXTURES / "llama.gguf", "a\udcff")


def test_longest_sentence_is_run() -> None:
    model = open_model_file(FIXTURES / "llama.gguf")
    runner = read_runner(model, read_settings(model))

    found = run_to_head(runner, [5] * MAX_SENTENCE, 1, 0)

    assert found.attn_weights.shape == (MAX_SENTENCE, MAX_SENTENCE)


def test_parameters_that_drive_numbers_beyond_all_bounds_are_refused(tmp_path: Path) -> None:
    folder = FIXTURES / "llama"
    for file in folder.iterdir():
        shutil.copy(file, tmp_path / file.name)
    model = open_model_file(folder / "model.safetensors")
    huge = {name: np.full_like(model.parameter(name), 3e38) for name in model.tensors}
    path = write_safetensors(tmp_path / "huge.safetensors", huge)

    with pytest.raises(CommandError, match="beyond all bounds"):
        look(path)


def test_vocabulary_of_another_kind_is_refused_for_a_decoder(tmp_path: Path) -> None:
    (tmp_path / "vocab.txt").write_text("[CLS]\n[SEP]\n[UNK]\n")

    with pytest.raises(CommandError, match="this model has a tokenizer of its own"):
        look(FIXTURES / "llama.gguf", "it", f"--vocab={tmp_path / 'vocab.txt'}")


def config(folder: Path, name: str, **changes: object) -> Path:
    for file in (FIXTURES / name).iterdir():
        shutil.copy(file, folder / file.name)
    written = json.loads((folder / "config.json").read_text(encoding="utf-8"))
    (folder / "config.json").write_text(json.dumps(written | changes))
    return folder / "model.safetensors"


LLAMA3 = {"rope_type": "llama3", "factor": 8, "low_freq_factor": 1, "high_freq_factor": 4}


@pytest.mark.parametrize(
    ("changes", "refusal"),
    [
        ({"model_type": ["bert"]}, "of the kind"),
        ({"head_dim": 8}, "8 numbers of a head are turned"),
        ({"sliding_window": 4}, "do not see the whole sentence"),
        ({"rope_parameters": "yarn"}, "stretched as 'yarn'"),
        ({"rope_parameters": {"partial_rotary_factor": 0.5}}, "partial_rotary_factor = 0.5"),
        ({"rope_parameters": {**LLAMA3, "original_max_position_embeddings": 10**400}}, "original_max_position"),
        ({"rope_parameters": {**LLAMA3, "original_max_position_embeddings": 8192, "factor": 0}}, "factor is 0"),
        ({"rope_parameters": {**LLAMA3, "original_max_position_embeddings": 8192, "low_freq_factor": 4}}, "not below"),
        ({"rope_theta": 10**400}, "rope_theta is 1000"),
    ],
)
def test_config_that_lies_is_refused(tmp_path: Path, changes: dict[str, object], refusal: str) -> None:
    with pytest.raises(CommandError, match=refusal):
        look(config(tmp_path, "llama", **changes))


@pytest.mark.parametrize(
    ("change", "refusal"),
    [
        ({"added_tokens": [{"id": 0, "content": ["<s>"]}]}, "added_tokens is no list of texts"),
        ({"model": {"type": ["BPE"], "vocab": {}, "merges": []}}, "cuts by"),
        ({"model": {"vocab": {"a": 0}}}, "no list of merges"),
        ({"pre_tokenizer": {"type": "Metaspace", "prepend_scheme": ["first"]}, "normalizer": None}, "prepend_scheme"),
        ({"normalizer": {"type": "Prepend", "prepend": "x"}}, "in a way that LLaMA's does not"),
        ({"post_processor": {"type": "TemplateProcessing", "single": [{"SpecialToken": {"id": "\x1b[2J"}}]}}, "be printed"),
    ],
)  # fmt: skip
def test_tokenizer_json_that_lies_is_refused(tmp_path: Path, change: dict[str, object], refusal: str) -> None:
    path = config(tmp_path, "llama")
    written = json.loads((tmp_path / "tokenizer.json").read_text(encoding="utf-8"))
    (tmp_path / "tokenizer.json").write_text(json.dumps(written | change))

    with pytest.raises(WeightsError, match=refusal):
        read_tokenizer(open_model_file(path))


@given(st.sampled_from(["llama.gguf", "gpt2.gguf"]), st.binary(min_size=1, max_size=8), st.integers(4, 13_000))
def test_no_change_of_bytes_ends_in_anything_but_a_table_or_a_refusal(
    tmp_path_factory: pytest.TempPathFactory, name: str, noise: bytes, place: int
) -> None:
    content = bytearray((FIXTURES / name).read_bytes())
    content[place : place + len(noise)] = noise
    path = tmp_path_factory.mktemp("noise") / "m.gguf"
    path.write_bytes(content)

    try:
        model = open_model_file(path)
        runner, words = read_runner(model, read_settings(model)), read_tokenizer(model)
        found = run_to_head(runner, words.ids(words.tokens("the cat")), 1, 0)
    except WeightsError:
        return
    assert np.abs(found.attn_weights.sum(axis=-1) - 1).max() < 1e-9
