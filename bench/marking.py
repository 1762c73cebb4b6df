"""What marking costs, in multiples of the bare work that it cannot do without.

Both sides of a ratio take turns in short rounds, so that a machine that grows slower in between slows both.
"""

from __future__ import annotations

import ast
from collections.abc import Sequence
from typing import Final

import numpy as np
from numpy.typing import NDArray

from bench.chain import chain_figures
from bench.report import Figure
from bench.timing import times_as_long
from grader.marking.matrix_text import split_matrix
from grader.marking.notation import parse_number

NAME: Final = "marking"
ROUNDS: Final = 40
SIDE: Final = 8
SMALL: Final = 1e-6


def measure() -> Sequence[Figure]:
    """Every figure of the suite."""
    return (*chain_figures(ROUNDS), *entry_figures(ROUNDS))


def entry_figures(rounds: int) -> Sequence[Figure]:
    """Reading a pasted print-out of NumPy, against Python's own reading of the same numbers as a literal."""
    numbers = np.random.default_rng(seed=SIDE).uniform(-2, 2, size=(SIDE, SIDE)).round(3)
    return (
        Figure("entry_ratio", "reading an 8×8 print-out, in literal_eval", entry_ratio(numbers, rounds), "×", "<= 3"),
        Figure(
            "entry_scientific_ratio",
            "the same with exponents, as small numbers are printed",
            entry_ratio(numbers * SMALL, rounds),
            "×",
            "<= 3",
        ),
    )


def entry_ratio(numbers: NDArray[np.float64], rounds: int) -> float:
    """How many times as long the print-out takes to read as the literal."""
    pasted, literal = str(numbers), repr(numbers.tolist())
    return times_as_long(lambda: read_matrix(pasted), lambda: ast.literal_eval(literal), rounds)


def read_matrix(text: str) -> list[list[float]]:
    """A pasted matrix, the way a response is read."""
    return [[parse_number(cell).value for cell in row] for row in split_matrix(text)]
