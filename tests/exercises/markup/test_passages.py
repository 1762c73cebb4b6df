from __future__ import annotations

import pytest

from exercises.markup import lesson_headings
from exercises.markup.passages import Passage, passages


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
        ("a [link](x) `code`", "a link code"),
        ("::: note\nInside.\n:::", "Inside."),
    ],
)
def test_a_passage_is_bare_text(markdown: str, text: str) -> None:
    assert [each.text for each in passages(markdown)] == [text]
