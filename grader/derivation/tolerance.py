"""How far an honest answer may be off when every asked step was rounded as the item asks."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from grader.attention.projection import Array
from grader.derivation.graph import Ask, Derivation, Values

# Half a unit is what rounding costs; the hair is what binary floats add to an exact decimal half.
HAIR = 1e-9


def half_unit(ask: Ask) -> float:
    """Half a unit of the last place that the item asks for."""
    return 0.5 * 10.0**-ask.decimals


def tolerances(
    derivation: Derivation, givens: Values, *, known: Values | None = None, values: Values | None = None
) -> dict[str, Array]:
    """The absolute tolerance of every asked cell, by name of the ask.

    Each asked step is rounded by up to half a unit, and what that does to the steps after it adds up. Steps that are
    `known`, the learner's own numbers, are not computed but taken over. `values` are all arrays of the computation, for
    a caller that has them already.
    """
    known = dict(known or {})
    values = values or derivation.evaluate(givens, known=known)
    allowed = {ask.name: np.full(ask.pick(values[ask.name]).shape, half_unit(ask) + HAIR) for ask in derivation.asks}
    for place, rounded in enumerate(derivation.asks[:-1]):
        for bumped in _bumps(rounded, values[rounded.name]):
            moved = derivation.evaluate(givens, known={**known, rounded.name: bumped})
            for ask in derivation.asks[place + 1 :]:
                allowed[ask.name] = allowed[ask.name] + np.abs(ask.pick(moved[ask.name] - values[ask.name]))
    return allowed


def _bumps(ask: Ask, value: Array) -> Iterator[Array]:
    """The step's value with one asked cell after the other moved by half a unit."""
    part = ask.pick(value)
    for cell in np.ndindex(part.shape):
        moved = part.copy()
        moved[cell] += half_unit(ask)
        yield ask.put(moved, value)
