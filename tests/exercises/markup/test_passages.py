from __future__ import annotations

import re
from pathlib import Path

import pytest

from exercises.markup import lesson_headings
from exercises.markup.passages import Passage, bare_tex, passages
from exercises.markup.prose import build_parser


def test_each_paragraph_stands_under_its_heading() -> None:
    found = passages("Before.\n\n## Mixing $V$\n\nOne.\n\n- two\n")

    assert found == (
        Passage("", "Before."),
        Passage("s-mixing-v", "Mixing V"),
        Passage("s-mixing-v", "One."),
        Passage("s-mixing-v", "two"),
    )


def test_anchors_are_those_of_the_page() -> None:
    markdown = "## 打分：`q` 与 $k_j$ **相配**\n"

    assert {each.anchor for each in passages(markdown)} == {lesson_headings(markdown)[0].anchor}


@pytest.mark.parametrize(
    ("markdown", "text"),
    [
        ("**Bold** and *soft*\nbreak", "Bold and soft break"),
        (r"$q_i \cdot k_j / \sqrt{d_k}$", "q_i · k_j / √d_k"),
        (r"$q_4 = \ln\,2 \cdot (1, -1)$", "q_4 = ln 2 · (1, -1)"),
        (r"$\tfrac{1}{2} \le \operatorname{softmax}(x) \to \infty$", "1/2 ≤ softmax(x) → ∞"),
        (r"$W = \begin{bmatrix} 1 & 0 \\ 0 & 2 \end{bmatrix}$", "W = [ 1 0 ; 0 2 ]"),
        ("a [link](x) `code`", "a link code"),
        ("::: note\nInside.\n:::", "Inside."),
    ],
)
def test_a_passage_is_bare_text(markdown: str, text: str) -> None:
    assert [each.text for each in passages(markdown)] == [text]


def formulas_of(lesson: Path) -> list[str]:
    tokens = build_parser().parse(lesson.read_text())
    inline = [child for token in tokens for child in token.children or []]
    return [token.content for token in [*tokens, *inline] if token.type.startswith("math")]


def test_no_formula_of_the_lessons_is_quoted_with_a_command_left_over() -> None:
    lessons = sorted((Path(__file__).parents[3] / "content").glob("*/lessons/*/lesson.*.md"))
    commands = {
        command for each in lessons for tex in formulas_of(each) for command in re.findall(r"\\([A-Za-z]+)", tex)
    }
    quoted = " ".join(bare_tex(tex) for each in lessons for tex in formulas_of(each))
    words_of_formulas = {"ln", "exp", "log", "max"}

    assert commands
    assert (commands - words_of_formulas) & set(re.findall(r"[A-Za-z]+", quoted)) == set()
