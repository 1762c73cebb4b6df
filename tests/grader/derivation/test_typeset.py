"""Worked cells, each held against the same cell computed with fractions or by hand."""

from __future__ import annotations

import re

import numpy as np
import pytest

from grader.derivation.graph import Ask, Derivation, Given, Step
from grader.derivation.operations import OPERATION_BY_NAME
from grader.derivation.typeset import worked_cell, worked_steps

E_TO = re.compile(r"e\^\{([^}]*)\}")
SCORES = np.log(np.array([[1.0, 2.0], [3.0, 6.0]]))


def derivation_of(name: str, *values: np.ndarray) -> Derivation:
    names = tuple("ABCD"[: len(values)])
    givens = tuple(Given(given, (), ()) for given in names)
    return Derivation(givens, (Step("r", OPERATION_BY_NAME[name], names),), (Ask("r", 2),), ())


def worked(name: str, cell: tuple[int, ...], *values: np.ndarray) -> str:
    derivation: Derivation = derivation_of(name, *values)
    step = derivation.steps[0]
    givens = dict(zip(step.arguments, values, strict=True))
    return worked_cell(step, derivation.evaluate(givens), cell)


@pytest.mark.parametrize(("axis", "share"), [(-1, 2 / 3), (1, 2 / 3), (0, 2 / 8), (-2, 2 / 8)])
def test_a_softmax_is_worked_along_its_own_axis(axis, share):
    line = worked("softmax", (0, 1), SCORES, np.array(axis))
    above, *below = [np.exp(float(power)) for power in E_TO.findall(line)]

    assert above / sum(below) == pytest.approx(share, abs=0.01)


@pytest.mark.parametrize("name", sorted(OPERATION_BY_NAME))
def test_no_cell_is_worked_by_the_rule_of_another_operation(name):
    """A softmax alone is a fraction of powers of e."""
    operation = OPERATION_BY_NAME[name]
    line = worked(name, *sample_of(operation.name))

    assert bool(E_TO.search(line)) == ("softmax" in name)


def sample_of(name: str) -> tuple[object, ...]:
    square, row = np.array([[1.0, 2.0], [3.0, 5.0]]), np.array([2.0, 3.0])
    samples = {
        "project_rows": ((0,), row, square),
        "project_columns": ((0,), square, row),
        "append_row": ((0, 0), square, row),
        "append_column": ((0, 0), square, row[:, None]),
        "attend_by_heads": ((0, 0), square, square, square, np.array(1)),
        "softmax": ((0, 0), square),
        "masked_softmax": ((0, 0), square),
        "causal_softmax": ((1, 0), square),
    }
    return samples.get(name, ((0, 0), square, square))


def test_a_row_that_is_appended_is_shown_and_not_worked():
    square, row = np.array([[1.0, 2.0], [3.0, 5.0]]), np.array([2.0, 3.0])
    derivation = derivation_of("append_row", square, row)
    givens = dict(zip(derivation.steps[0].arguments, (square, row), strict=True))

    assert len(list(worked_steps(derivation, givens, column=False))) == 1
    assert worked("append_row", (2, 1), square, row).endswith("_{32} = 3")
