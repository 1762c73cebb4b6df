"""The numbers of one call: drawn from the item's own lists, or taken over from an earlier call."""

from __future__ import annotations

import math
import random

import numpy as np

from grader.attention.projection import Array
from grader.derivation.graph import Given, Values
from grader.marking.items import CodeCase

Stream = random.Random


def draw_givens(case: CodeCase, stream: Stream, off: float, handed: Values) -> dict[str, Array]:
    """Every array that goes in, as the derivation computes with it: numbers that its dtype can hold.

    What is `handed` over is not drawn. Floats lie up to `off` of themselves away from the item's own numbers.
    """
    sizes, forms = dict(case.derivation.sizes), dict(case.forms)
    givens = {}
    for given in case.derivation.givens:
        dtype = forms[given.name].dtype if given.name in forms else "float64"
        if given.name in handed:
            givens[given.name] = _held(handed[given.name], dtype)
        else:
            givens[given.name] = _draw(given, tuple(sizes[letter] for letter in given.shape), dtype, stream, off)
    return givens


def _draw(given: Given, size: tuple[int, ...], dtype: str, stream: Stream, off: float) -> Array:
    random, numbers = stream.random, given.draw
    count, moved = len(numbers), off if dtype.startswith("float") else 0.0
    cells = [numbers[int(random() * count)] * (1 + moved * random()) for _ in range(math.prod(size))]
    drawn = np.array(cells, dtype=np.float64).reshape(size)
    if dtype == "bool" and any(numbers):
        _let_look_somewhere(drawn, stream)
    return _held(drawn, dtype)


def _held(value: Array, dtype: str) -> Array:
    """The numbers as an array of that dtype holds them."""
    return value if dtype == "float64" else value.astype(dtype).astype(np.float64)


def _let_look_somewhere(mask: Array, stream: Stream) -> None:
    """In every row that would hide all keys one is shown: what then comes out is a rule of its own, tried by its own case."""
    for row in mask.reshape(-1, mask.shape[-1]):
        if not row.any():
            row[int(stream.random() * len(row))] = 1
