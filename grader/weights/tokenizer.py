"""The tokenizer of a decoder, from the tokenizer.json beside its file or from the metadata of a GGUF file."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping
from typing import Any

from grader.weights.byte_pairs import CUTS, SPACE, BytePairs
from grader.weights.errors import WeightsError
from grader.weights.said import Said, flag, only, shown
from grader.weights.settings import json_beside
from grader.weights.tensors import ModelFile

MAX_TOKENIZER_BYTES = 64 * 2**20
MAX_TOKENS = 1_000_000
MAX_SHOWN = 64
# SentencePiece's kinds of tokens: 1 normal, 2 unknown, 3 control, 4 user-defined, 5 unused, 6 byte. What is written in a
# text is found as the first or the fourth alone.
KINDS, FOUND = range(1, 7), (1, 4)
# The same cuts as a tokenizer.json writes them.
PATTERNS = {
    pattern.replace("{L}", r"\p{L}")
    .replace("{N}", r"\p{N}")
    .replace(r"[\p{L}]", r"\p{L}")
    .replace(r"[\p{N}]", r"\p{N}"): cut
    for cut, pattern in CUTS.items()
}
GGUF_CUTS = {"gpt-2": "gpt-2", "gpt2": "gpt-2", "llama-bpe": "llama-bpe", "llama3": "llama-bpe", "qwen2": "qwen2"}


def read_tokenizer(model: ModelFile) -> BytePairs:
    """The tokenizer that comes with a decoder. Raises WeightsError where there is none, or one of another kind."""
    if "tokenizer.ggml.tokens" in model.metadata:
        return _from_gguf(model.metadata)
    written = json_beside(model.path, "tokenizer.json", MAX_TOKENIZER_BYTES)
    if not written:
        raise WeightsError(f"no tokenizer.json beside {model.path.name} says how its sentences are cut into tokens")
    return _from_json(written)


def _from_gguf(said: Said) -> BytePairs:
    kind, cut = said.get("tokenizer.ggml.model"), GGUF_CUTS.get(str(said.get("tokenizer.ggml.pre")))
    if kind != "llama" and (kind != "gpt2" or cut is None):
        raise WeightsError(
            f"the tokenizer is {shown(kind)} with the cut {shown(said.get('tokenizer.ggml.pre'))}; known are llama, and gpt2 "
            f"with {', '.join(GGUF_CUTS)}"
        )
    tokens = _texts(said["tokenizer.ggml.tokens"], "tokenizer.ggml.tokens")
    vocabulary = _vocabulary({token: index for index, token in enumerate(tokens)})
    if len(vocabulary) < len(tokens):
        raise WeightsError("tokenizer.ggml.tokens has the same token twice")
    types = _token_types(said, len(tokens))
    first = _first_of_gguf(said, tokens, otherwise=kind == "llama" or cut == "llama-bpe")
    if cut is None or kind == "llama":
        joined = {
            token: -score
            for token, score, of in zip(tokens, _scores(said, len(tokens)), types, strict=True)
            if of in FOUND
        }
        has_space = flag(said, "tokenizer.ggml.add_space_prefix", otherwise=True)
        return BytePairs(
            vocabulary, lambda left, right: joined.get(left + right, math.inf), first=first, has_space_first=has_space
        )
    rank = _by_merge(vocabulary, said.get("tokenizer.ggml.merges"))
    return BytePairs(vocabulary, rank, cut, first, is_composed=cut == "qwen2", takes_whole=cut == "llama-bpe")


def _first_of_gguf(said: Said, tokens: list[str], *, otherwise: bool) -> str | None:
    """The token that begins every text. Raises WeightsError for one that is not there, and where one ends every text."""
    places = {key: said.get(f"tokenizer.ggml.{key}_token_id") for key in ("bos", "eos")}
    for key, place in places.items():
        if place is not None and (type(place) is not int or not 0 <= place < len(tokens)):
            raise WeightsError(f"tokenizer.ggml.{key}_token_id is {shown(place)}, and there are {len(tokens)} tokens")
    if flag(said, "tokenizer.ggml.add_eos_token", otherwise=False):
        raise WeightsError("the tokenizer sets a token after every text, which is not known here")
    if not flag(said, "tokenizer.ggml.add_bos_token", otherwise=otherwise):
        return None
    if places["bos"] is None:
        raise WeightsError("every text begins with a token, and tokenizer.ggml.bos_token_id does not say with which")
    return _printable(tokens[places["bos"]])


def _token_types(said: Said, n_tokens: int) -> list[int]:
    """What kind of token each is, as SentencePiece counts kinds; all are found in texts where nothing is said."""
    types = said.get("tokenizer.ggml.token_type", [min(FOUND)] * n_tokens)
    if (
        not isinstance(types, list)
        or len(types) != n_tokens
        or not all(type(of) is int and of in KINDS for of in types)
    ):
        raise WeightsError(
            f"tokenizer.ggml.token_type does not have one of the kinds 1 to 6 for each of {n_tokens} tokens"
        )
    return types


def _scores(said: Said, n_tokens: int) -> list[float]:
    """A score a token. SentencePiece joins what makes the token of the highest."""
    scores = said.get("tokenizer.ggml.scores")
    if not isinstance(scores, list) or len(scores) != n_tokens:
        raise WeightsError("tokenizer.ggml.scores does not have a score for every token")
    if not all(isinstance(score, float) and math.isfinite(score) for score in scores):
        raise WeightsError("tokenizer.ggml.scores holds what is no finite number")
    return scores


def _from_json(written: Mapping[str, Any]) -> BytePairs:
    model = _table(written.get("model"))
    if model.get("type", "BPE") != "BPE" or model.get("continuing_subword_prefix") or model.get("end_of_word_suffix"):
        raise WeightsError(f"tokenizer.json cuts by {shown(model.get('type'))}; byte pairs (BPE) alone are known here")
    added = [_table(token) for token in _list(written.get("added_tokens"))]
    names = _texts([token.get("content") for token in added], "added_tokens")
    places = (token.get("id") for token in added)
    vocabulary = _vocabulary(dict(zip(names, places, strict=True)) | dict(_table(model.get("vocab"))))
    rank = _by_merge(vocabulary, model.get("merges"))
    first = _first(written.get("post_processor"))
    if first is not None and _printable(first) not in vocabulary:
        raise WeightsError(f"tokenizer.json begins every text by {shown(first)}, which is no token of it")
    normalizers, cutters = _steps(written.get("normalizer")), _steps(written.get("pre_tokenizer"))
    takes_whole = model.get("ignore_merges") is True
    if model.get("byte_fallback") is True:
        has_space = _has_space_first(normalizers, cutters)
        return BytePairs(vocabulary, rank, "", first, has_space_first=has_space, takes_whole=takes_whole)
    if any(step.get("type") != "NFC" for step in normalizers):
        raise WeightsError("tokenizer.json changes the text in a way that is not known here; NFC is")
    has_space = any(step.get("add_prefix_space") is True for step in cutters)
    return BytePairs(vocabulary, rank, _cut(cutters), first, has_space, bool(normalizers), takes_whole)


def _cut(steps: list[Mapping[str, Any]]) -> str:
    """The cut of a tokenizer of bytes. Its expression is never run: it is one of those known here, or refused."""
    kinds = [step.get("type") for step in steps]
    if kinds == ["ByteLevel"] and steps[0].get("use_regex", True) is True:
        return "gpt-2"
    if kinds == ["Split", "ByteLevel"] and steps[1].get("use_regex") is False:
        cut = PATTERNS.get(str(_table(steps[0].get("pattern")).get("Regex")))
        if cut is not None and steps[0].get("behavior") == "Isolated" and not steps[0].get("invert"):
            return cut
    raise WeightsError(
        "tokenizer.json cuts its text by a rule that is not known here; those of GPT-2, LLaMA 3, Qwen2 are"
    )


def _has_space_first(normalizers: list[Mapping[str, Any]], cutters: list[Mapping[str, Any]]) -> bool:
    """Whether LLaMA's tokenizer sets a space in front. Raises WeightsError for steps that LLaMA's does not have."""
    kinds = [step.get("type") for step in (*normalizers, *cutters)]
    if kinds == ["Metaspace"]:
        only(cutters[0], {"split": (False,), "prepend_scheme": ("first", "always", "never"), "replacement": (SPACE,)})
        return cutters[0].get("prepend_scheme") != "never"
    replaces = [step for step in normalizers if step.get("type") == "Replace"]
    is_spaces = [(_table(step.get("pattern")).get("String"), step.get("content")) for step in replaces] == [
        (" ", SPACE)
    ]
    before = [step.get("prepend") for step in normalizers if step.get("type") == "Prepend"]
    if kinds not in (["Prepend", "Replace"], ["Replace"]) or not is_spaces or before not in ([], [SPACE]):
        raise WeightsError("tokenizer.json changes the text in a way that LLaMA's does not")
    return "Prepend" in kinds


def _first(processor: object) -> str | None:
    """The token that a template sets before every text."""
    for step in _steps(processor, "processors"):
        if step.get("type") == "TemplateProcessing":
            pieces = [_table(piece) for piece in _list(step.get("single"))]
            special = [_table(piece["SpecialToken"]).get("id") for piece in pieces if "SpecialToken" in piece]
            if len(special) > 1 or (special and "SpecialToken" not in pieces[0]):
                raise WeightsError("tokenizer.json sets more around a text than one token in front")
            return str(special[0]) if special else None
    return None


def _steps(written: object, within: str = "") -> list[Mapping[str, Any]]:
    """A step, or the steps of a sequence."""
    step = _table(written)
    key = within or ("normalizers" if "normalizers" in step else "pretokenizers")
    return [_table(part) for part in _list(step.get(key))] if step.get("type") == "Sequence" else [step] if step else []


def _vocabulary(written: Mapping[Any, Any]) -> dict[str, int]:
    if len(written) > MAX_TOKENS:
        raise WeightsError(f"a vocabulary of {len(written)} tokens is too large; {MAX_TOKENS} are the most")
    if not all(isinstance(token, str) and type(index) is int and index >= 0 for token, index in written.items()):
        raise WeightsError("a vocabulary gives each token, a text, one number from 0 on")
    return dict(written)


def _by_merge(vocabulary: Mapping[str, int], merges: object) -> Callable[[str, str], float]:
    if not isinstance(merges, list):
        raise WeightsError("the tokenizer has no list of merges: nobody knows which tokens it joins")
    if len(merges) > MAX_TOKENS:
        raise WeightsError(f"{len(merges)} joins are too many; {MAX_TOKENS} are the most")
    ranks: dict[tuple[str, str], int] = {}
    for place, pair in enumerate(_pairs(merges)):
        if not all(pair) or "".join(pair) not in vocabulary:
            raise WeightsError(f"join {place} makes {shown(''.join(pair))} of two parts, which is no token")
        if ranks.setdefault(pair, place) != place:
            raise WeightsError(f"join {place} is the same as join {ranks[pair]}")
    return lambda left, right: ranks.get((left, right), math.inf)


def _pairs(merges: list[Any]) -> Iterable[tuple[str, str]]:
    for place, written in enumerate(merges):
        parts = written.split(" ") if isinstance(written, str) else written
        if not isinstance(parts, list) or len(parts) != 2 or not all(isinstance(part, str) for part in parts):  # noqa: PLR2004 -- a pair
            raise WeightsError(f"join {place} is no pair of texts")
        yield parts[0], parts[1]


def _texts(written: object, what: str) -> list[str]:
    if not isinstance(written, list) or not all(isinstance(text, str) for text in written):
        raise WeightsError(f"{what} is no list of texts")
    return written


def _printable(token: str) -> str:
    """A token that stands before every text, and so on every page. Raises WeightsError for one that cannot be shown."""
    if not token.isprintable() or not 0 < len(token) <= MAX_SHOWN:
        raise WeightsError(f"every text begins with {shown(token)}, which cannot be printed in a word")
    return token


def _table(value: object) -> Mapping[str, Any]:
    return value if isinstance(value, Mapping) else {}


def _list(value: object) -> list[Any]:
    return value if isinstance(value, list) else []
