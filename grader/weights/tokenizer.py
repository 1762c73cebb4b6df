"""The tokenizer of a decoder, from the tokenizer.json beside its file or from the metadata of a GGUF file."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any

from grader.weights.byte_pairs import CUTS, SPACE, BytePairs
from grader.weights.errors import WeightsError
from grader.weights.settings import json_beside
from grader.weights.tensors import ModelFile

MAX_TOKENIZER_BYTES = 64 * 2**20
MAX_TOKENS = 1_000_000
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


def _from_gguf(metadata: Mapping[str, Any]) -> BytePairs:
    kind, tokens = metadata.get("tokenizer.ggml.model"), metadata["tokenizer.ggml.tokens"]
    if not isinstance(tokens, list):
        raise WeightsError("tokenizer.ggml.tokens is no list")
    vocabulary = _vocabulary({token: index for index, token in enumerate(tokens)})
    first = metadata.get("tokenizer.ggml.bos_token_id")
    has_first = metadata.get("tokenizer.ggml.add_bos_token", kind == "llama")
    begin = None
    if has_first:
        if type(first) is not int or not 0 <= first < len(tokens):
            raise WeightsError(f"the token that begins every text is said to be {first!r}, and there are {len(tokens)}")
        begin = tokens[first]
    if kind == "llama":
        scores = metadata.get("tokenizer.ggml.scores")
        if not isinstance(scores, list) or len(scores) != len(tokens):
            raise WeightsError("tokenizer.ggml.scores does not have a score for every token")
        has_space = metadata.get("tokenizer.ggml.add_space_prefix", True) is True
        return BytePairs(vocabulary, _by_score(vocabulary, scores), first=begin, has_space_first=has_space)
    cut = GGUF_CUTS.get(str(metadata.get("tokenizer.ggml.pre")))
    if kind != "gpt2" or cut is None:
        raise WeightsError(
            f"the tokenizer is {kind!r} with the cut {metadata.get('tokenizer.ggml.pre')!r}; known are llama, and gpt2 with "
            f"{', '.join(GGUF_CUTS)}"
        )
    rank = _by_merge(vocabulary, metadata.get("tokenizer.ggml.merges"))
    return BytePairs(vocabulary, rank, cut, begin, is_composed=cut == "qwen2", takes_whole=cut == "llama-bpe")


def _from_json(written: Mapping[str, Any]) -> BytePairs:
    model = _table(written.get("model"))
    if model.get("type", "BPE") != "BPE" or model.get("continuing_subword_prefix") or model.get("end_of_word_suffix"):
        raise WeightsError(f"tokenizer.json cuts by {model.get('type')!r}; byte pairs (BPE) alone are known here")
    added = {token.get("content"): token.get("id") for token in map(_table, _list(written.get("added_tokens")))}
    vocabulary = _vocabulary(added | dict(_table(model.get("vocab"))))
    rank = _by_merge(vocabulary, model.get("merges"))
    first = _first(written.get("post_processor"))
    if first is not None and first not in vocabulary:
        raise WeightsError(f"tokenizer.json begins every text by {first!r}, which is no token of it")
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
        if cut is not None and steps[0].get("behavior") == "Isolated":
            return cut
    raise WeightsError(
        "tokenizer.json cuts its text by a rule that is not known here; those of GPT-2, LLaMA 3, Qwen2 are"
    )


def _has_space_first(normalizers: list[Mapping[str, Any]], cutters: list[Mapping[str, Any]]) -> bool:
    """Whether LLaMA's tokenizer sets a space in front. Raises WeightsError for steps that LLaMA's does not have."""
    kinds = [step.get("type") for step in (*normalizers, *cutters)]
    if kinds == ["Metaspace"]:
        return cutters[0].get("prepend_scheme") in {"first", "always"}
    replaces = [step for step in normalizers if step.get("type") == "Replace"]
    is_spaces = [(_table(step.get("pattern")).get("String"), step.get("content")) for step in replaces] == [
        (" ", SPACE)
    ]
    if kinds not in (["Prepend", "Replace"], ["Replace"]) or not is_spaces:
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


def _by_merge(vocabulary: Mapping[str, int], written: object) -> Callable[[str, str], float | None]:
    merges = _list(written)
    if len(merges) > MAX_TOKENS:
        raise WeightsError(f"{len(merges)} joins are too many; {MAX_TOKENS} are the most")
    ranks: dict[tuple[str, str], int] = {}
    for place, pair in enumerate(_pairs(merges)):
        if not all(pair) or "".join(pair) not in vocabulary:
            raise WeightsError(f"join {place} makes {''.join(pair)[:40]!r} of two parts, which is no token")
        ranks.setdefault(pair, place)
    return lambda left, right: ranks.get((left, right))


def _pairs(merges: list[Any]) -> Iterable[tuple[str, str]]:
    for place, written in enumerate(merges):
        parts = written.split(" ") if isinstance(written, str) else written
        if not isinstance(parts, list) or len(parts) != 2 or not all(isinstance(part, str) for part in parts):  # noqa: PLR2004 -- a pair
            raise WeightsError(f"join {place} is no pair of texts")
        yield parts[0], parts[1]


def _by_score(vocabulary: Mapping[str, int], scores: list[Any]) -> Callable[[str, str], float | None]:
    """SentencePiece joins what makes the token of the highest score."""
    if not all(isinstance(score, float) and score == score for score in scores):  # noqa: PLR0124 -- NaN alone is not itself
        raise WeightsError("tokenizer.ggml.scores holds what is not a number")
    by_token = {token: -scores[index] for token, index in vocabulary.items()}
    return lambda left, right: by_token.get(left + right)


def _table(value: object) -> Mapping[str, Any]:
    return value if isinstance(value, Mapping) else {}


def _list(value: object) -> list[Any]:
    return value if isinstance(value, list) else []
