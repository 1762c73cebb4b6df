"""A last look at numbers that no slip explains: what small accident turns the right numbers into these?

Each accident is tried on every wrong cell: a term with its sign turned, a term left out, two cells exchanged, a cell
worked out from another row or column. On single small integers such guesses fit about half of all random answers, so a
guess is named only if it is the only one that fits and the answer has at least two numbers; else it is a question.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from grader.attention.projection import Array
from grader.derivation.graph import Ask, Step, Values
from grader.derivation.terms import terms_of

Cell = tuple[int, ...]

SIGN_FLIPPED, TERM_SKIPPED, CELLS_SWAPPED, WRONG_ROW_OR_COLUMN = ACCIDENTS = (
    "sign_flipped",
    "term_skipped",
    "cells_swapped",
    "wrong_row_or_column",
)
# What each accident does to the sum: a turned sign counts its term twice, a term left out once.
TIMES_TOO_FEW = {SIGN_FLIPPED: 2, TERM_SKIPPED: 1}


@dataclass(frozen=True, slots=True)
class Accident:
    """What happened in one cell; `term` is the summand it happened to, `other` the cell that got mixed up with it."""

    slug: str
    cell: Cell
    term: float = 0.0
    other: Cell = ()


@dataclass(frozen=True, slots=True)
class Found:
    """One accident for each wrong cell; certain only if nothing else explains them too."""

    accidents: tuple[Accident, ...]
    is_certain: bool


def find_accidents(step: Step, values: Values, ask: Ask, typed: Array, allowed: Array) -> Found | None:
    """Explain every wrong cell of a field; None where one stays unexplained. `values` hold the right numbers."""
    expected = ask.pick(values[ask.name])
    wrong = [(*cell,) for cell in np.argwhere(np.abs(typed - expected) > allowed).tolist()]
    is_enough = typed.size > 1
    swapped = _swap(expected, typed, wrong, allowed)
    if swapped is not None:
        return Found((swapped,), is_certain=is_enough)
    terms = terms_of(step, values)
    if terms is None:
        return None
    guesses = [list(_guesses(cell, ask.pick(terms)[cell], expected, typed[cell], allowed[cell])) for cell in wrong]
    if not all(guesses):
        return None
    return Found(
        tuple(found[0] for found in guesses), is_certain=is_enough and all(len(found) == 1 for found in guesses)
    )


def _guesses(cell: Cell, terms: Array, expected: Array, typed: float, allowed: float) -> Iterator[Accident]:
    """Every accident that turns the right value of one cell into the typed one."""
    for slug, times in TIMES_TOO_FEW.items():
        for term in terms:
            if abs(term) * times > allowed and abs(expected[cell] - times * term - typed) <= allowed:
                yield Accident(slug, cell, term=float(term))
    for other in _neighbours(cell, expected.shape):
        if abs(expected[other] - typed) <= allowed < abs(expected[other] - expected[cell]):
            yield Accident(WRONG_ROW_OR_COLUMN, cell, other=other)


def _swap(expected: Array, typed: Array, wrong: list[Cell], allowed: Array) -> Accident | None:
    """Two wrong cells that hold each other's number."""
    if len(wrong) != 2:  # noqa: PLR2004 -- it takes two to swap
        return None
    one, other = wrong
    fits = abs(typed[one] - expected[other]) <= allowed[one] and abs(typed[other] - expected[one]) <= allowed[other]
    return Accident(CELLS_SWAPPED, one, other=other) if fits else None


def _neighbours(cell: Cell, shape: tuple[int, ...]) -> Iterator[Cell]:
    """The other cells of the same row or column."""
    for axis, size in enumerate(shape):
        for place in range(size):
            if place != cell[axis]:
                yield (*cell[:axis], place, *cell[axis + 1 :])
