from __future__ import annotations

import re

import pytest

from exercises.markup import render_prose, render_tex

DANGEROUS = [
    r"\text{<script>alert(1)</script>}",
    r"\text{<img src=x onerror=alert(1)>}",
    r"\mathrm{<iframe src='https://example.org'></iframe>}",
    r"\href{javascript:alert(1)}{x}",
    r"\href{https://example.org}{x}",
    r"\style{background:url(https://example.org)}{x}",
    r"\class{evil}{x}\id{evil}{y}",
    r"\text{</mtext></math><script>alert(1)</script>}",
    "&lt;script&gt;alert(1)&lt;/script&gt;",
]


@pytest.mark.parametrize("tex", DANGEROUS)
@pytest.mark.parametrize("render", [render_tex, lambda tex: render_prose(f"${tex}$", "en")], ids=["tex", "prose"])
def test_dangerous_tex_leaves_no_element_or_attribute_that_acts(tex: str, render: object) -> None:
    html = render(tex)

    assert re.findall(r"<(?:script|iframe|img|a|style)\b|\s(?:href|style|src|on\w+|id)\s*=", html) == []


def test_text_of_a_formula_is_shown_as_it_was_written() -> None:
    assert "&lt;script&gt;" in render_tex(r"\text{<script>}")


@pytest.mark.parametrize(
    ("tex", "role"),
    [
        ("q_i", '<msub class="sym-q_"><mi class="role-q">q</mi><mi>i</mi></msub>'),
        ("W_K", '<msub class="role-k sym-W_K"><mi>W</mi><mi>K</mi></msub>'),
        ("b_v", '<msub class="role-v sym-b_v"><mi>b</mi><mi>v</mi></msub>'),
        (r"W_Q^\top", '<msubsup class="role-q sym-W_Q"><mi>W</mi><mi>Q</mi><mo lspace="0" rspace="0">⊤</mo></msubsup>'),
        ("d_k", '<msub class="sym-d_k"><mi>d</mi><mi>k</mi></msub>'),
        ("x^k", '<msup><mi class="sym-x">x</mi><mi>k</mi></msup>'),
    ],
)
def test_roles_are_marked_and_indices_are_not(tex: str, role: str) -> None:
    assert role in render_tex(tex)


def test_minus_after_an_operator_is_a_sign() -> None:
    html = render_tex("a-b=-(-c)")

    assert re.findall(r"<mo( form=\"prefix\")?>−</mo>", html) == ["", ' form="prefix"', ' form="prefix"']


def test_aligned_is_read_as_a_table() -> None:
    html = render_tex(r"\begin{aligned} a &= b \\ c &= d \end{aligned}", display=True)

    assert (html.count("<mtr>"), "&amp;" in html) == (2, False)


def test_unreadable_tex_is_shown_as_it_was_written() -> None:
    assert render_tex("x^a^b<c>") == '<code class="tex">x^a^b&lt;c&gt;</code>'


def test_display_formula_says_so() -> None:
    assert render_tex("x", display=True) == '<math display="block"><mrow><mi class="sym-x">x</mi></mrow></math>'


def test_brackets_are_as_high_as_their_own_matrix_and_share_its_exponent() -> None:
    html = render_tex(r"\begin{bmatrix}1\end{bmatrix}\begin{bmatrix}2\\3\end{bmatrix}^\top")

    first = "<mrow><mo>[</mo><mtable><mtr><mtd><mn>1</mn></mtd></mtr></mtable><mo>]</mo></mrow>"
    second = "<mrow><mo>[</mo><mtable><mtr><mtd><mn>2</mn></mtd></mtr><mtr><mtd><mn>3</mn></mtd></mtr></mtable><mo>]</mo></mrow>"
    assert f'{first}<msup>{second}<mo lspace="0" rspace="0">⊤</mo></msup>' in html
