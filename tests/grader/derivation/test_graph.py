from __future__ import annotations

import numpy as np
import pytest

from grader.derivation.graph import Ask, DerivationError, parse_step
from grader.derivation.operations import OPERATION_BY_NAME, OPERATIONS, ShapeError
from grader.derivation.typeset import asked_symbol, number, symbol, tex_array, worked_steps
from tests.grader import samples

LETTERS = {"d": 3, "d_k": 2, "S": 4, "T": 5, "B": 6, "1": 1, "T+1": 6}
ACCEPTED = [
    ("project_rows", [("d",), ("d", "d_k")], ("d_k",)),
    ("project_rows", [("S", "d"), ("d", "d_k")], ("S", "d_k")),
    ("project_rows", [("B", "S", "d"), ("d", "d_k"), ("d_k",)], ("B", "S", "d_k")),
    ("project_columns", [("d_k", "d"), ("d", "S")], ("d_k", "S")),
    ("project_columns", [("d_k", "d"), ("d",), ("d_k",)], ("d_k",)),
    ("dot_logits", [("d_k",), ("T", "d_k")], ("T",)),
    ("dot_logits", [("S", "d_k"), ("T", "d_k")], ("S", "T")),
    ("dot_logits", [("B", "S", "d_k"), ("B", "T", "d_k")], ("B", "S", "T")),
    ("dot_logits_columns", [("d_k", "S"), ("d_k", "T")], ("S", "T")),
    ("scale_logits", [("T",), ("T", "d_k")], ("T",)),
    ("scale_logits", [("B", "S", "T"), ("B", "T", "d_k")], ("B", "S", "T")),
    ("scale_logits_columns", [("S", "T"), ("d_k", "T")], ("S", "T")),
    ("softmax", [("S", "T")], ("S", "T")),
    ("causal_softmax", [("S", "T")], ("S", "T")),
    ("mix_columns", [("d_k", "T"), ("S", "T")], ("d_k", "S")),
    ("mix", [("T",), ("T", "d_k")], ("d_k",)),
    ("mix", [("S", "T"), ("T", "d_k")], ("S", "d_k")),
    ("softmax", [("S", "T"), ()], ("S", "T")),
    ("masked_softmax", [("S", "T")], ("S", "T")),
    ("masked_softmax", [("B", "S", "T"), ("S", "T")], ("B", "S", "T")),
    ("attend_by_heads", [("S", "d"), ("T", "d"), ("T", "d_k"), ()], ("S", "d_k")),
    ("append_row", [("d",)], ("1", "d")),
    ("append_row", [("T", "d"), ("d",)], ("T+1", "d")),
    ("append_row", [("T", "d"), ("1", "d")], ("T+1", "d")),
    ("append_column", [("d", "T"), ("d", "1")], ("d", "T+1")),
]
REFUSED = [
    ("project_rows", [("S", "d"), ("d_k", "d")]),
    ("project_rows", [("S", "d"), ("d", "d_k"), ("d",)]),
    ("project_columns", [("d_k", "d"), ("S", "d")]),
    ("dot_logits", [("S", "d_k"), ("T", "d")]),
    ("mix", [("S", "T"), ("S", "d_k")]),
    ("softmax", [("S",), ("S",)]),
    ("dot_logits", [("d_k",), ("d_k",)]),
    ("append_row", [("T", "d"), ("d_k",)]),
    ("append_column", [("d", "T"), ("1", "d")]),
]


@pytest.mark.parametrize(("name", "arguments", "expected"), ACCEPTED)
def test_a_shape_rule_says_what_the_forward_function_does(name, arguments, expected):
    operation = OPERATION_BY_NAME[name]
    arrays = [np.ones([LETTERS[letter] for letter in shape]) for shape in arguments]

    assert operation.shape(arguments) == expected
    assert operation.forward(*arrays).shape == tuple(LETTERS[letter] for letter in expected)


@pytest.mark.parametrize(("name", "arguments"), REFUSED)
def test_shapes_that_do_not_meet_are_refused(name, arguments):
    with pytest.raises(ShapeError, match=name):
        OPERATION_BY_NAME[name].shape(arguments)


def test_every_operation_has_a_shape_case():
    assert {name for name, _, _ in ACCEPTED} == {operation.name for operation in OPERATIONS}


@pytest.mark.parametrize(
    "text",
    [
        "project_rows(x, W) + 1",
        "__import__('os').system('true')",
        "project_rows(x, [1])",
        "project_rows(x, other)",
        "exec(x, W)",
        "project_rows",
        "project_rows()",
        "",
    ],
)
def test_a_step_is_one_call_of_a_known_operation_on_known_names(text):
    with pytest.raises(DerivationError):
        parse_step("q", text, ["x", "W"])


def test_a_chosen_row_is_put_back_where_it_was_taken_from():
    ask = Ask("logits", decimals=2, rows=(1,))
    whole = np.arange(6.0).reshape(3, 2)

    assert ask.pick(whole).tolist() == [[2, 3]]
    assert ask.put(np.array([[8.0, 9]]), whole).tolist() == [[0, 1], [8, 9], [4, 5]]
    assert whole.tolist() == [[0, 1], [2, 3], [4, 5]]


def test_symbols_are_the_letters_of_the_lessons():
    assert [symbol(name) for name in ("x", "W_Q", "b_q", "logits")] == ["x", "W_{Q}", "b_{q}", "s"]
    assert asked_symbol(Ask("attn_weights", 3, rows=(1,))) == "a_{2}"


@pytest.mark.parametrize(
    ("value", "text"), [(0.5, "0.5"), (-0.0, "0"), (-2.0, "-2"), (1e-12, "0"), (0.1 + 0.2, "0.3"), (1e6, "1000000")]
)
def test_a_number_is_written_as_a_learner_would(value, text):
    assert number(value) == text


def test_a_vector_is_a_row_or_in_the_column_convention_a_column():
    assert tex_array(np.array([1.0, 2])) == r"\begin{bmatrix} 1 & 2 \end{bmatrix}"
    assert tex_array(np.array([1.0, 2]), column=True) == r"\begin{bmatrix} 1 \\ 2 \end{bmatrix}"


def test_the_worked_solution_shows_letters_numbers_and_result():
    derivation = samples.item(samples.COLUMNS).derivation
    givens = {"W_q": np.eye(2), "X": np.array([[1.0, 2], [3, 4]]), "b_q": np.array([10.0, 20])}

    assert list(worked_steps(derivation, givens, column=True)) == [
        r"Q = W_{q} X + b_{q} = \begin{bmatrix} 1 & 0 \\ 0 & 1 \end{bmatrix} \begin{bmatrix} 1 & 2 \\ 3 & 4 "
        r"\end{bmatrix} + \begin{bmatrix} 10 \\ 20 \end{bmatrix} = \begin{bmatrix} 11 & 12 \\ 23 & 24 \end{bmatrix}",
        r"Q_{11} = 1 \cdot 1 + 0 \cdot 3 + 10 = 11",
    ]


def test_one_cell_of_every_step_is_worked_out_down_to_numbers():
    derivation = samples.item(samples.CHAIN).derivation
    givens = {"X": np.eye(3), "W_Q": np.array([[1.0, -2], [0, 1], [1, 1]])}
    givens |= {"W_K": np.array([[2.0, 1], [1, 0], [0, 0]]), "W_V": np.array([[1.0, 0], [0, 1], [2, 2]])}

    lines = [line for line in worked_steps(derivation, givens, column=False) if "_{11}" in line.split("=")[0]]

    assert lines == [
        r"Q_{11} = 1 \cdot 1 + 0 \cdot 0 + 0 \cdot 1 = 1",
        r"K_{11} = 1 \cdot 2 + 0 \cdot 1 + 0 \cdot 0 = 2",
        r"V_{11} = 1 \cdot 1 + 0 \cdot 0 + 0 \cdot 2 = 1",
        r"s_{11} = 1 \cdot 2 + (-2) \cdot 1 = 0",
        r"\tilde{s}_{11} = 0 / \sqrt{2} = 0",
        r"a_{11} = \frac{e^{0}}{e^{0}} = 1",
        r"o_{11} = 1 \cdot 1 + 0 \cdot 0 + 0 \cdot 2 = 1",
    ]


def test_the_asked_row_is_the_one_that_is_worked_out():
    derivation = samples.item(samples.WEIGHTS).derivation
    givens = {"Q": np.array([[9.0, 9], [1, 1], [9, 9]]), "K": np.array([[0.0, 0.5], [1, 0], [0.5, 1]])}

    lines = list(worked_steps(derivation, givens, column=False))

    assert lines[1] == r"s_{21} = 1 \cdot 0 + 1 \cdot 0.5 = 0.5"
    assert lines[3] == r"a_{21} = \frac{e^{0.5}}{e^{0.5} + e^{1} + e^{1.5}} = 0.186324"
