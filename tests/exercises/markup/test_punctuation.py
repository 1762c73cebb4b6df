"""No line begins with a comma, none ends with a bracket, whatever formula stands beside it."""

from __future__ import annotations

import re

import pytest

from exercises.markup import Reference, render_inline, render_lesson_segment, render_prose


def tight(html: str) -> list[str]:
    """What is kept together, with x for every formula and without links."""
    plain = re.sub(r"</?(?:a|strong)\b[^>]*>", "", re.sub(r"<math.*?</math>", "x", html))
    return re.findall(r'<span class="tight">(.*?)</span>', plain)


@pytest.mark.parametrize(
    ("markdown", "kept"),
    [
        ("$a$, $b$ and $c$.", ["x,", "x."]),
        ("（$a$）、“$b$”。", ["（x）、", "“x”。"]),
        ("one ($a$ or $b$)", ["(x", "x)"]),
        ("$a$ alone, then $b$ again", []),
        ("**$a$**, plain", ["x,"]),
        ("$a$-th, so-called", []),
        ("no formula, (at all).", []),
    ],
)
def test_a_formula_keeps_the_marks_that_touch_it(markdown: str, kept: list[str]) -> None:
    assert tight(render_inline(markdown)) == kept
    assert tight(render_prose(markdown, "en")) == kept


def test_a_symbol_that_is_a_link_does_so_too() -> None:
    reference = Reference("/g/", symbols=(("q_", "query"),))

    assert tight(render_prose("see $q_i$, then", "en", reference)) == ["x,"]
    assert tight(render_lesson_segment("see $q_i$.", "en", {}, reference=reference).html) == ["x."]


def test_the_words_stay_as_they_were() -> None:
    html = render_prose("Take $a$, (or $b$); “so”.", "en")

    assert re.sub(r"<[^>]+>", "", re.sub(r"<math.*?</math>", "x", html)) == "Take x, (or x); “so”.\n"
