"""Formulas as TeX, with letters and with numbers: what a page shows of a derivation."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from grader.attention.projection import Array
from grader.derivation.graph import Ask, Derivation, Step, Values
from grader.derivation.terms import factors_of

# The letters of the lessons for steps whose names in code are words.
LETTERS = {"logits": "s", "scaled": r"\tilde{s}", "attn_weights": "a", "context": "o", "factor": "c"}

# The same where a line is no formula.
PLAIN_LETTERS = {**LETTERS, "scaled": "s̃"}

Cell = tuple[int, ...]

# A projection with this many arguments has a bias.
BIASED = 3
SCALE = "scale_logits"
SOFTMAX = "softmax"


def symbol(name: str) -> str:
    """W_Q as W_{Q}; a step named by a word by its letter."""
    letter, _, index = LETTERS.get(name, name).partition("_")
    return f"{letter}_{{{index}}}" if index else letter


def plain_symbol(name: str) -> str:
    """The same letter in plain text, for sentences and labels; a matrix keeps its name, such as W_Q."""
    return PLAIN_LETTERS.get(name, name)


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
    """Each step as a line of TeX (letters, numbers put in, result), and after it one of its cells worked out."""
    for lines in worked_by_step(derivation, givens, column=column):
        yield from lines


def worked_by_step(derivation: Derivation, givens: Values, *, column: bool) -> Iterator[tuple[str, ...]]:
    """The same, one step after the other: two lines each, or one where a cell is nothing that one line could work out."""
    values = derivation.evaluate(givens)
    for step in derivation.steps:
        shown = [tex_array(values[name], column=column) for name in step.arguments]
        if step.operation.name.startswith(SCALE):  # of the keys only their width counts
            shown[1] = symbol(step.arguments[1])
        result = tex_array(values[step.name], column=column)
        whole = f"{symbol(step.name)} = {letters(step)} = {_fill(step, shown)} = {result}"
        is_short = _can_be_worked(step, values)
        yield (whole, worked_cell(step, values, _first_cell(derivation, step, values))) if is_short else (whole,)


def _first_cell(derivation: Derivation, step: Step, values: Values) -> Cell:
    """The first cell that is asked, or of a step that is not asked the first there is."""
    ask = next((ask for ask in derivation.asks if ask.name == step.name), None)
    if ask is None or values[step.name].ndim == 1:
        return (0,) * values[step.name].ndim
    return (ask.rows[0] if ask.rows else 0, ask.columns[0] if ask.columns else 0)


def worked_cell(step: Step, values: Values, cell: Cell) -> str:
    """One cell of a step as a line of TeX, down to plain numbers where one line can hold them; indices count from 1."""
    place = f"{symbol(step.name)}_{{{''.join(str(index + 1) for index in cell)}}}"
    inside = f" = {_in_numbers(step, values, cell)}" if _can_be_worked(step, values) else ""
    return f"{place}{inside} = {number(values[step.name][cell])}"


def _can_be_worked(step: Step, values: Values) -> bool:
    """Whether a cell is a sum of products, a scaled number or a softmax: a row that is appended, say, is none of these."""
    return factors_of(step, values) is not None or any(word in step.operation.name for word in (SCALE, SOFTMAX))


def _in_numbers(step: Step, values: Values, cell: Cell) -> str:
    factors = factors_of(step, values)
    if factors is not None:
        left, right = (list(side[cell]) for side in factors)
        bias = [_bracketed(left.pop() * right.pop())] if len(step.arguments) == BIASED else []
        products = (rf"{_bracketed(one)} \cdot {_bracketed(other)}" for one, other in zip(left, right, strict=True))
        return " + ".join([*products, *bias])
    logits = values[step.arguments[0]]
    if step.operation.name.startswith(SCALE):
        d_k = values[step.arguments[1]].shape[-2 if step.operation.name.endswith("columns") else -1]
        return rf"{number(logits[cell])} / \sqrt{{{d_k}}}"
    # What is left is softmax: e to one logit over the sum of e to all that share the sum with it.
    along = -1 if step.operation.name != SOFTMAX or len(step.arguments) == 1 else int(values[step.arguments[1]])
    line = tuple(slice(None) if axis == along % logits.ndim else index for axis, index in enumerate(cell))
    row, shares = logits[line], values[step.name][line]
    total = " + ".join(f"e^{{{number(logit)}}}" for logit, share in zip(row, shares, strict=True) if share)
    return rf"\frac{{e^{{{number(logits[cell])}}}}}{{{total}}}"


def _bracketed(value: float) -> str:
    return f"({number(value)})" if value < 0 else number(value)


def _fill(step: Step, arguments: list[str]) -> str:
    operation = step.operation
    count = len(arguments)
    takes_all = f"{{{count - 1}}}" in operation.letters_with_all and f"{{{count}}}" not in operation.letters_with_all
    return (operation.letters_with_all if takes_all else operation.letters).format(*arguments)
