"""Formulas as TeX, with letters and with numbers: what a page shows of a derivation."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import numpy as np

from grader.attention.projection import Array
from grader.derivation.graph import Ask, Derivation, Step, Values

# The letters of the lessons for steps whose names in code are words.
LETTERS = {"logits": "s", "scaled": r"\tilde{s}", "attn_weights": "a", "context": "o"}

# A projection with this many arguments has a bias.
BIASED = 3


def symbol(name: str) -> str:
    """W_Q as W_{Q}; a step named by a word by its letter."""
    letter, _, index = LETTERS.get(name, name).partition("_")
    return f"{letter}_{{{index}}}" if index else letter


def asked_symbol(ask: Ask) -> str:
    """The symbol of what is asked; of chosen rows it names them, counting from 1."""
    rows = ",".join(str(row + 1) for row in ask.rows)
    return f"{symbol(ask.name)}_{{{rows}}}" if rows else symbol(ask.name)


def letters(step: Step) -> str:
    """The right-hand side of a step with letters, such as x W_{Q} + b_{q}."""
    return _fill(step, [symbol(name) for name in step.arguments])


def number(value: float) -> str:
    """A number as a learner would write it: no exponent, no trailing zeros, no negative zero."""
    text = np.format_float_positional(value, precision=6, trim="-")
    return "0" if text in {"-0", "0"} else text


def tex_array(value: Array, *, column: bool = False) -> str:
    """A matrix with square brackets; a vector as one row, or one column in the column convention."""
    rows = np.atleast_2d(value)
    rows = rows.T if column and value.ndim == 1 else rows
    lines = r" \\ ".join(" & ".join(number(cell) for cell in row) for row in rows)
    return rf"\begin{{bmatrix}} {lines} \end{{bmatrix}}"


def worked_steps(derivation: Derivation, givens: Values, *, column: bool) -> Iterator[str]:
    """One line of TeX for each step: letters, numbers put in, result."""
    values = derivation.evaluate(givens)
    for step in derivation.steps:
        shown: Mapping[str, str] = {name: tex_array(values[name], column=column) for name in step.arguments}
        result = tex_array(values[step.name], column=column)
        put_in = _fill(step, [shown[name] for name in step.arguments])
        yield f"{symbol(step.name)} = {letters(step)} = {put_in} = {result}"


def _fill(step: Step, arguments: list[str]) -> str:
    operation = step.operation
    with_bias = len(arguments) == BIASED and operation.letters_with_bias
    return (operation.letters_with_bias if with_bias else operation.letters).format(*arguments)
