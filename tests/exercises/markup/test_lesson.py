from __future__ import annotations

import re

import pytest

from exercises.markup import Heading, lesson_headings, render_lesson_segment

DRAWING = '<svg viewBox="0 0 10 10" role="img"><title>t</title><path class="fig-q" d="M0 0L1 1"></path></svg>'


def render(markdown: str, language: str = "en", figures: dict[str, dict[str, str]] | None = None) -> str:
    return render_lesson_segment(markdown, language, figures or {}).html


@pytest.mark.parametrize(
    ("convention", "language", "words"),
    [
        ("rows", "en", "Row convention: one token a row, x W"),
        ("rows", "zh-hans", "行约定：一行一个词元，x W"),
        ("columns", "en", "Column convention: one token a column, W x + b"),
        ("columns", "zh-hans", "列约定：一列一个词元，W x + b"),
    ],
)
def test_formula_names_its_convention(convention: str, language: str, words: str) -> None:
    html = render(f"::: formula {convention}\n$$q$$\n:::", language)

    assert html.startswith(f'<div class="formula formula-{convention}"><p class="convention">{words}</p>')


def test_discussion_has_its_title_as_a_heading_to_link_to() -> None:
    html = render("::: discussion How $q$ relates to x\nWords.\n:::")

    assert html.startswith('<section class="discussion"><h3 id="s-how-q-relates-to-x">How <math')


def test_note_and_card_are_boxes() -> None:
    html = render("::: note\nA.\n:::\n\n::: card\nB.\n:::")

    assert re.findall(r'class="(note|card)"', html) == ["note", "card"]


HEATMAP = "::: heatmap\n| | the | it |\n|---|--:|--:|\n| the | 100 | 0 |\n| it | 69 | few |\n:::\n\n"


def test_heat_map_is_a_table_whose_cells_say_and_show_their_number() -> None:
    html = render(HEATMAP)

    assert html.startswith('<div class="heatmap">\n<div class="scroll scroll-table"')
    cells = re.findall(r'<(?:td|th) class="([^"]+)"[^>]*>([^<]*)</t', html)
    assert cells == [
        *[("align-right", "the"), ("align-right", "it")],
        *[("heat-9", "100"), ("heat-0", "0"), ("heat-6", "69"), ("align-right", "few")],
    ]
    assert re.findall(r'<th scope="row">([^<]*)</th>', html) == ["the", "it"]


def test_table_after_a_heat_map_has_no_shades() -> None:
    html = render(f"{HEATMAP}| a | b |\n|---|---|\n| 1 | 50 |\n")

    assert "heat-" not in html.partition("few")[2]


def test_figure_is_drawn_in_with_its_caption() -> None:
    html = render("::: figure arms\nThree **arms**.\n:::", figures={"arms": {"": DRAWING}})

    caption = "<figcaption>\n<p>Three <strong>arms</strong>.</p>\n</figcaption>"
    assert html == f'<figure class="figure">{DRAWING}{caption}</figure>\n'


@pytest.mark.parametrize(("language", "word"), [("en", "animal"), ("zh-hans", "动物")])
def test_figure_is_taken_in_the_language_of_the_page(language: str, word: str) -> None:
    drawings = {"en": "<svg><text>animal</text></svg>", "zh-hans": "<svg><text>动物</text></svg>"}

    assert f"<text>{word}</text>" in render("::: figure it\nx\n:::", language, {"it": drawings})


@pytest.mark.parametrize(
    "part",
    [
        "<script>alert(1)</script>",
        "<style>a{}</style>",
        '<path onload="alert(1)" d="M0 0"/>',
        '<path style="fill:red" d="M0 0"/>',
        '<use href="https://example.org/x.svg#a"/>',
        '<image href="https://example.org/x.png"/>',
        '<path marker-end="url(https://example.org/x)" d="M0 0"/>',
        '<foreignObject><p onclick="x()">x</p></foreignObject>',
        '<a href="javascript:alert(1)"><text>x</text></a>',
        '<animate attributeName="href" to="javascript:alert(1)"/>',
    ],
)
def test_figure_keeps_nothing_that_acts_or_reaches_out(part: str) -> None:
    html = render("::: figure x\n\n:::", figures={"x": {"": f"<svg>{part}</svg>"}})

    assert re.findall(r"script|style|href|example|onload|onclick|foreignObject|animate|<use|<image", html) == []


def test_marker_inside_the_figure_may_be_referred_to() -> None:
    drawing = '<svg><path marker-end="url(#tip)" d="M0 0"></path></svg>'

    assert 'marker-end="url(#tip)"' in render("::: figure x\n\n:::", figures={"x": {"": drawing}})


def test_unknown_figure_leaves_its_caption() -> None:
    assert render("::: figure gone\nWords.\n:::").startswith('<figure class="figure"><figcaption>')


def test_headings_are_listed_with_the_anchors_that_the_page_has() -> None:
    markdown = "## 一、标题 $q$\n\n### Not listed\n\n## Second `code`\n"

    headings = lesson_headings(markdown)
    html = render(markdown)

    assert headings == (Heading("s-一标题-q", "一、标题 q"), Heading("s-second-code", "Second code"))
    assert [f'id="{heading.anchor}"' in html for heading in headings] == [True, True]
