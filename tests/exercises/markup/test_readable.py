"""What of an author's Markdown cannot be shown as it is meant."""

from __future__ import annotations

import pytest

from exercises.markup import render_prose
from exercises.markup.readable import unreadable


@pytest.mark.parametrize(
    "markdown",
    [
        "没有公式",
        "$q = x W_Q$，$s_{ij} = q_i \\cdot k_j$",
        "$\\operatorname{softmax}_{\\downarrow}(s)$ and $\\text{a word}$",
        "$\\begin{bmatrix} 1 & 2 \\\\ 3 & 4 \\end{bmatrix}$",
        "$$\\begin{aligned} q &= x W_Q \\\\ k &= x W_K \\end{aligned}$$",
        "::: formula rows\n$$\\begin{align*} q &= 1 \\end{align*}$$\n\n- $q$: a query\n:::",
        "| a | b |\n|---|---|\n| $q$ | `$x` |",
        "```sh\necho $HOME\n```",
        "::: discussion Why?\nSo.\n:::\n\n{{ item qkv }}\n\n:::: note\nwords\n::::",
        "```\n::: any\n{{ any }}\n```",
        "It costs \\$5, or \\$6.",
        "$\\{1, 2\\}$ and $A \\backslash B$",
        "$a_j$ adds up to 1",
        "You worked out ${used}$; the question asks for ${asked}$.",
    ],
)
def test_what_can_be_shown_is_in_order(markdown):
    assert unreadable(markdown) == []


@pytest.mark.parametrize(
    ("markdown", "found"),
    [
        ("see $\\qury$ here", ["\\qury"]),
        ("$x_{$", ["x_{"]),
        ("$\\left( x$", ["\\left( x"]),
        ("$x}$", ["x}"]),
        ("$\\frac{1}$", ["\\frac{1}"]),
        ("$\\text{see \\qury}$", ["\\text{see \\qury}"]),
        ("$\\begin{tabular} x \\end{tabular}$", ["\\begin{tabular} x \\end{tabular}"]),
        ("$$\n\\qury\n$$", ["\\qury"]),
        ("- a list with $\\qury$\n\n> and $\\qury$ again", ["\\qury"]),
        ("| $\\qury$ |\n|---|\n| x |", ["\\qury"]),
        ("::: note\n$\\qury$\n:::", ["\\qury"]),
        ("::: formulla either\n$x$\n:::", ["::: formulla either"]),
        ("{{ itme qkv }}", ["{{ itme qkv }}"]),
        ("half a $formula", ["half a $formula"]),
        ("$ blanks within $", ["$ blanks within $"]),
    ],
)
def test_what_cannot_be_shown_is_named(markdown, found):
    assert unreadable(markdown) == found


def test_a_formula_may_begin_a_line_that_ends_with_a_digit():
    assert render_prose("$a$ adds up to 1", "en").startswith("<p><math")
