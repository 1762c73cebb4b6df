from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from grader.bank import TermGroup, TermKind, parse_glossary, read_content
from grader.bank.errors import DefinitionError

ENTRY: dict[str, Any] = {
    "zh-hans": "查询矩阵",
    "en": "query matrix",
    "symbol": "{row: W_Q | column: W_q}",
    "meaning": {"zh-hans": "甲", "en": "A"},
    "shape": "[d, d_k]",
    "kind": "parameter",
}


def test_a_term_is_read_with_what_it_may_leave_out() -> None:
    (term,) = parse_glossary({"query_matrix": ENTRY})

    assert (term.slug, term.name.zh_hans, term.symbols) == ("query_matrix", "查询矩阵", ("{row: W_Q | column: W_q}",))
    assert (term.kind, term.group, term.is_linked, term.avoided) == (
        TermKind.PARAMETER,
        TermGroup.ATTENTION,
        True,
        {},
    )


def test_a_term_may_have_more_symbols_words_to_avoid_and_no_links() -> None:
    more = {"also": ["q"], "avoid": {"zh-hans": ["询问"]}, "link": False, "group": "sizes", "symbol": "", "shape": ""}
    (term,) = parse_glossary({"query": {**ENTRY, **more}})

    assert (term.symbols, term.avoided, term.is_linked) == (("q",), {"zh-hans": ("询问",)}, False)


@pytest.mark.parametrize(
    ("key", "value", "reason"),
    [
        ("kind", "learned", "'learned' is unknown; known are parameter, activation, constant, input"),
        ("group", "other", "'other' is unknown"),
        ("colour", "blue", "unknown key"),
        ("avoid", {"fr": ["x"]}, "unknown key"),
        ("zh-hans", "", "a text is needed"),
        ("meaning", {"en": "A"}, "missing"),
    ],
)
def test_what_is_no_term_is_refused_with_its_key(key: str, value: object, reason: str) -> None:
    with pytest.raises(DefinitionError, match=reason):
        parse_glossary({"term": {**ENTRY, key: value}})


def test_the_courses_glossary_is_read_with_the_content() -> None:
    (curriculum,) = read_content(Path(__file__).parents[3] / "content")
    terms = parse_glossary(curriculum.glossary)
    symbols = [symbol for term in terms for symbol in term.symbols]

    assert len({term.slug for term in terms}) == len(terms) >= 30
    assert len(set(symbols)) == len(symbols)
    assert {"query", "query_matrix", "attention_weight", "sequence_length"} <= {term.slug for term in terms}
