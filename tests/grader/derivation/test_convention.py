"""A derivation and its twin are one computation: every array of one is the other's, laid out the other way."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from grader.derivation.convention import TWIN_OF, WITHOUT_TWIN, is_same_either_way, twin, twin_name, twin_values
from grader.derivation.graph import Ask
from grader.derivation.operations import OPERATIONS
from grader.derivation.typeset import worked_steps
from grader.derivation.variants import draw, slip_classes
from tests.grader import samples

ITEMS = [samples.QKV, samples.WEIGHTS, samples.COLUMNS, samples.CHAIN]


@pytest.mark.parametrize("toml", ITEMS)
def test_the_twin_of_a_twin_is_the_original(toml):
    derivation = samples.item(toml).derivation

    assert twin(twin(derivation)) == derivation


@pytest.mark.parametrize("toml", ITEMS)
def test_the_twin_computes_the_same_numbers_laid_out_the_other_way(toml):
    derivation = samples.item(toml).derivation
    for seed in range(5):
        givens = draw(derivation, seed)

        values = twin(derivation).evaluate(twin_values(derivation, givens))

        expected = twin_values(derivation, derivation.evaluate(givens))
        assert values.keys() == expected.keys()
        assert all(np.allclose(values[name], expected[name]) for name in values)


def test_only_what_takes_tables_alone_is_the_same_either_way():
    chain = samples.item(samples.CHAIN).derivation
    tables = replace(chain, steps=tuple(step for step in chain.steps if step.operation.name == "causal_softmax"))

    assert (is_same_either_way(chain), is_same_either_way(tables)) == (False, True)


def test_the_letters_and_sides_are_those_of_the_other_lesson():
    steps = twin(samples.item(samples.CHAIN).derivation).steps

    assert [(step.name, step.operation.name, step.arguments) for step in steps] == [
        ("Q", "project_columns", ("W_q", "X")),
        ("K", "project_columns", ("W_k", "X")),
        ("V", "project_columns", ("W_v", "X")),
        ("logits", "dot_logits_columns", ("Q", "K")),
        ("scaled", "scale_logits_columns", ("logits", "K")),
        ("attn_weights", "causal_softmax", ("scaled",)),
        ("context", "mix_columns", ("V", "attn_weights")),
    ]


def test_the_worked_solution_is_typeset_in_both_conventions():
    derivation = samples.item(samples.QKV).derivation
    square = np.array([[1.0, 2], [3, 4]])
    givens = {"x": np.array([5.0, 6]), "W_Q": square, "W_K": square, "W_V": square}

    rows = list(worked_steps(derivation, givens, column=False))
    columns = list(worked_steps(twin(derivation), twin_values(derivation, givens), column=True))

    assert rows[0] == (
        r"q = x W_{Q} = \begin{bmatrix} 5 & 6 \end{bmatrix} \begin{bmatrix} 1 & 2 \\ 3 & 4 \end{bmatrix} "
        r"= \begin{bmatrix} 23 & 34 \end{bmatrix}"
    )
    assert columns[0] == (
        r"q = W_{q} x = \begin{bmatrix} 1 & 3 \\ 2 & 4 \end{bmatrix} \begin{bmatrix} 5 \\ 6 \end{bmatrix} "
        r"= \begin{bmatrix} 23 \\ 34 \end{bmatrix}"
    )
    assert (rows[1], columns[1]) == (
        r"q_{1} = 5 \cdot 1 + 6 \cdot 3 = 23",
        r"q_{1} = 1 \cdot 5 + 3 \cdot 6 = 23",
    )


def test_the_same_mistakes_can_be_told_apart_in_both_conventions():
    def kinds(derivation):
        return sorted({(slip.slug, slip.wrong.name) for slip in slip_classes(derivation)})

    for toml in (samples.QKV, samples.WEIGHTS, samples.COLUMNS):
        derivation = samples.item(toml).derivation
        assert kinds(twin(derivation)) == kinds(derivation)


def test_chosen_tokens_stay_the_same_tokens():
    ask = Ask("context", 2, columns=(1,))
    value = np.arange(6.0).reshape(2, 3)

    assert ask.pick(value).tolist() == [[1], [4]]
    assert ask.put(np.array([[8.0], [9]]), value).tolist() == [[0, 8, 2], [3, 9, 5]]


def test_every_operation_has_a_twin_and_every_name_its_own():
    assert set(TWIN_OF) | WITHOUT_TWIN == {operation.name for operation in OPERATIONS}
    assert [twin_name(name) for name in ("W_Q", "W_q", "x", "b_q", "W_O")] == ["W_q", "W_Q", "x", "b_q", "W_o"]
