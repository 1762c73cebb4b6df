from __future__ import annotations

import pytest

from grader.bank import parse_glossary
from grader.gate.terms import drifting

TOKEN = {
    "zh-hans": "词元",
    "en": "token",
    "symbol": "",
    "meaning": {"zh-hans": "甲", "en": "A"},
    "shape": "",
    "kind": "input",
    "avoid": {"zh-hans": ["令牌"], "en": ["lexeme"]},
}
CACHE = {**TOKEN, "zh-hans": "KV 缓存", "en": "KV cache", "avoid": {}}
TERMS = parse_glossary({"token": TOKEN, "kv_cache": CACHE})


@pytest.mark.parametrize(
    ("markdown", "language"),
    [
        ("一个词元（token），**词元**（token）", "zh-hans"),
        ("**KV** 缓存（KV cache）", "zh-hans"),
        ("注意力（attention）", "zh-hans"),
        ("`令牌` 和 $令牌$", "zh-hans"),
        ("A token, two tokens", "en"),
        ("令牌 in an English text", "en"),
    ],
)
def test_words_of_the_glossary_are_in_order(markdown: str, language: str) -> None:
    assert list(drifting(markdown, language, TERMS)) == []


@pytest.mark.parametrize(
    ("markdown", "language", "found"),
    [
        ("一个令牌", "zh-hans", ("令牌", "词元")),
        ("标记（token）", "zh-hans", ("标记（token）", "词元")),
        ("Two Lexemes", "en", ("lexeme", "token")),
    ],
)
def test_a_term_that_drifts_is_found_with_its_name(markdown: str, language: str, found: tuple[str, str]) -> None:
    assert list(drifting(markdown, language, TERMS)) == [found]
