from __future__ import annotations

import pytest

from exercises.markup import Reference, render_in_turn, render_inline, render_prose, symbols_in


@pytest.mark.parametrize(
    ("markdown", "html"),
    [
        ("**“注意力”**机制", "<strong>“注意力”</strong>机制"),
        ("**强调。**后", "<strong>强调。</strong>后"),
        ("前**（括号）**后", "前<strong>（括号）</strong>后"),
        ("**“A”**和*“B”*。", "<strong>“A”</strong>和<em>“B”</em>。"),
        ("a ** b ** c", "a ** b ** c"),
        ("2 * 3 * 4", "2 * 3 * 4"),
        ("**plain** words", "<strong>plain</strong> words"),
        ("***both***", "<em><strong>both</strong></em>"),
        ("snake_case_name", "snake_case_name"),
    ],
)
def test_emphasis(markdown: str, html: str) -> None:
    assert render_inline(markdown) == html


def test_texts_in_turn_link_a_symbol_where_it_is_met_first() -> None:
    reference = Reference("/g/", symbols=(("q_", "query"), ("k_", "key")))

    first, second = render_in_turn(["$q_i$ and $q_j$", "$q_1$ and $k_1$"], "en", reference)

    assert (first.count("/g/#query"), second.count("/g/#query"), second.count("/g/#key")) == (1, 0, 1)
    assert "<a" not in render_prose("$q_i$", "en")


def test_symbols_of_a_markup_are_known_by_name() -> None:
    assert symbols_in(render_prose("$q_i = x W_Q$ and `sym-k`", "en")) == {"q_", "x", "W_Q"}


def test_broken_line_of_chinese_is_joined_without_a_blank() -> None:
    assert render_prose("第一行\n第二行", "zh-hans") == "<p>第一行第二行</p>\n"


def test_broken_line_of_english_keeps_its_blank() -> None:
    assert render_prose("one\ntwo", "en") == "<p>one\ntwo</p>\n"


def test_money_is_no_formula() -> None:
    assert render_prose("价格 $5 和 $6 元", "zh-hans") == "<p>价格 $5 和 $6 元</p>\n"


def test_formula_stands_right_beside_chinese() -> None:
    assert "<math" in render_inline("词元的$q$向量")


def test_html_in_markdown_is_text() -> None:
    assert render_prose("<script>alert(1)</script>", "en") == "<p>&lt;script&gt;alert(1)&lt;/script&gt;</p>\n"


@pytest.mark.parametrize("address", ["javascript:alert(1)", "data:text/html,x", "vbscript:x"])
def test_link_that_would_run_something_is_no_link(address: str) -> None:
    assert "href" not in render_inline(f"[here]({address})")


def test_table_scrolls_in_a_region_that_the_keyboard_reaches() -> None:
    html = render_prose("| a | b |\n|---|--:|\n| 1 | 2 |", "en")

    assert html.startswith('<div class="scroll scroll-table" role="group" tabindex="0" aria-label="Table"><table>')
    assert '<th class="align-right" scope="col">b</th>' in html
    assert '<td class="align-right">2</td>' in html


def test_rows_below_an_empty_corner_have_headers() -> None:
    html = render_prose("|  | Q |\n|---|---|\n| what | activations |\n|  | more |\n| $q$ | one |", "en")

    assert '<td></td>\n<th scope="col">Q</th>' in html
    assert '<th scope="row">what</th>\n<td>activations</td>' in html


def test_display_formula_scrolls_in_a_region_named_in_the_language() -> None:
    html = render_prose("$$x$$", "zh-hans")

    assert '<div class="scroll scroll-formula" role="group" tabindex="0" aria-label="公式">' in html


def test_python_is_coloured_by_classes_alone() -> None:
    html = render_prose("```python\ndef f(x):\n    return x < 1\n```", "en")

    assert ('<span class="hl-k">def</span>' in html, "style=" in html, "&lt;" in html) == (True, False, True)


def test_other_code_stays_plain() -> None:
    assert "<pre><code>a &lt; b\n</code></pre>" in render_prose("```\na < b\n```", "en")
