from __future__ import annotations

import re
from dataclasses import replace

from exercises.markup import Reference, render_lesson_segment

REFERENCE = Reference(
    "/g/",
    symbols=(("q_", "query"), ("W_Q", "query_matrix")),
    terms=(("query", "query"), ("attention weight", "weight"), ("键", "key"), ("注意力权重", "weight")),
)


def links(markdown: str, language: str = "en", reference: Reference = REFERENCE) -> list[tuple[str, str]]:
    html = render_lesson_segment(markdown, language, {}, reference=reference).html
    return re.findall(r'<a href="/g/#(\w+)" class="(\w+)" aria-describedby="card-\1"', html)


def test_symbol_is_a_link_once_in_each_section() -> None:
    markdown = "$q_i$ and $q_j$, $W_Q$\n\n### Nearer\n\n$q_1$\n\n## Next\n\n$q_2$ and $q_3$"

    assert links(markdown) == [("query", "symbol"), ("query_matrix", "symbol"), ("query", "symbol")]


def test_longer_formulas_headings_and_links_hold_no_link() -> None:
    assert links("## A query\n\n$$q_i = x W_Q$$\n\n$q_i k_j$ [a query](https://example.org)") == []


def test_a_symbol_is_heard_with_its_name_whatever_reads_formulas() -> None:
    named = replace(REFERENCE, names=(("query", "query"), ("query_matrix", "query matrix")))
    html = render_lesson_segment("$q_i'$ $q_{12}$, $W_{Q}$, a query", "en", {}, reference=named).html

    assert re.findall(r'aria-label="([^"]*)"', html) == ["q 12 query", "W Q query matrix"]


def test_term_is_a_link_where_it_is_met_first() -> None:
    assert links("Queries or a Query, the query. Attention weights.") == [("query", "term"), ("weight", "term")]


def test_part_of_another_word_is_no_term() -> None:
    assert links("A subquery, unqueryable") == []


def test_one_chinese_character_is_a_term_only_beside_its_english() -> None:
    assert links("关键在于键。", "zh-hans") == []
    assert links("键（key）与注意力权重", "zh-hans") == [("key", "term"), ("weight", "term")]


def test_a_segment_tells_which_terms_it_has_linked() -> None:
    assert render_lesson_segment("A query.", "en", {}, reference=REFERENCE).linked == {"query"}


def test_text_around_a_term_stays_as_it_was() -> None:
    html = render_lesson_segment("**One** query & two", "en", {}, reference=REFERENCE).html

    assert re.sub(r"</?a[^>]*>", "", html) == "<p><strong>One</strong> query &amp; two</p>\n"


def test_without_a_glossary_there_are_no_links() -> None:
    assert "<a" not in render_lesson_segment("A query $q_i$", "en", {}).html
