from __future__ import annotations

import re

import pytest

from exercises.markup import render_tex, symbol_of


@pytest.mark.parametrize(
    ("tex", "names"),
    [
        ("W_Q", ["W_Q"]),
        ("W_{Q}^{(h)}", ["W_Q"]),
        ("q_i", ["q_"]),
        ("q_{im}", ["q_"]),
        ("q_2", ["q_"]),
        ("x_i'", ["x_-prime"]),
        ("X'", ["X-prime"]),
        (r"\tilde{s}_{ij}", ["s-tilde_"]),
        (r"d_{\text{model}}", ["d_model"]),
        (r"Q K^\top", ["Q", "K"]),
        (r"\frac{Q K^\top}{\sqrt{d_k}}", ["Q", "K", "d_k"]),
        (r"\sum_{j=1}^{S} a_{ij}\, v_j", ["S", "a_", "v_"]),
        (r"e^{\tilde{s}_{ij}}", ["e", "s-tilde_"]),
        ("x^k", ["x"]),
        (r"\text{head}_h", []),
        (r"\mathit{d}\,2", []),
        ("2 + 3", []),
    ],
)
def test_each_symbol_of_a_formula_is_named_and_marks_are_not(tex: str, names: list[str]) -> None:
    assert re.findall(r"sym-([\w-]+)", render_tex(tex)) == names


@pytest.mark.parametrize(
    ("tex", "name"), [("q_i", "q_"), ("{q_i}", "q_"), ("W_q", "W_q"), ("q_i k_j", ""), ("2", ""), ("x^a^b", "")]
)
def test_a_formula_of_one_symbol_is_that_symbol(tex: str, name: str) -> None:
    assert symbol_of(tex) == name
