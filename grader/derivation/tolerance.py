"""How far an honest answer may be off when every step that had to be rounded was rounded as the item asks."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from grader.attention.projection import Array
from grader.derivation.graph import Ask, Derivation, Values

# Half a unit is what rounding costs; the hair is what binary floats add to an exact decimal half.
HAIR = 1e-9

# Numbers with so many decimals or fewer are written out in full.
WRITTEN_OUT = 4


def half_unit(ask: Ask) -> float:
    """Half a unit of the last place that the item asks for."""
    return 0.5 * 10.0**-ask.decimals


def tolerances(
    derivation: Derivation, givens: Values, *, known: Values | None = None, values: Values | None = None
) -> dict[str, Array]:
    """The absolute tolerance of every asked cell, by name of the ask.

    Each step that is rounded on the way is off by up to half a unit, and what that does to the steps after it adds up:
    at 3 decimals a mixture may be off by 0.0005 · (1 + Σ|v_j|). Steps that are `known`, the learner's own numbers, are
    not computed but taken over. `values` are all arrays of the computation, for a caller that has them already.

    What rounding does to a slip that leaps is taken from the side on which it does not: an answer that lies beyond the
    leap is another answer, not the same one rounded.
    """
    known = dict(known or {})
    values = values or derivation.evaluate(givens, known=known)
    allowed = {ask.name: np.full(ask.pick(values[ask.name]).shape, half_unit(ask) + HAIR) for ask in derivation.asks}
    names = [step.name for step in derivation.steps]
    leaps = any(step.operation.leaps_in is not None for step in derivation.steps)
    directions = (1, -1) if leaps else (1,)
    for name, rounded in roundings(derivation, values):
        place = names.index(name)
        later = [ask for ask in derivation.asks if names.index(ask.name) > place]
        settled = {**known, **{before: values[before] for before in names[:place]}}
        for bump in _bumps(rounded, values[name]) if later else ():
            both = [
                derivation.evaluate(givens, known={**settled, name: values[name] + way * bump}) for way in directions
            ]
            for ask in later:
                moves = [np.abs(ask.pick(moved[ask.name] - values[ask.name])) for moved in both]
                allowed[ask.name] = allowed[ask.name] + np.fmin.reduce(moves)
    return allowed


def roundings(derivation: Derivation, values: Values) -> Iterator[tuple[str, Ask]]:
    """The steps that a learner writes down rounded: every asked one, and on the way every one that does not end early.

    A step that nobody asks for is rounded like the next asked one; with a whole step's rows and columns.
    """
    for step in derivation.steps:
        ask = next_ask(derivation, step.name)
        if ask is not None and ask.name == step.name:
            yield step.name, ask
        elif ask is not None and not ends_early(values[step.name]):
            yield step.name, Ask(step.name, ask.decimals)


def next_ask(derivation: Derivation, name: str) -> Ask | None:
    """The step's own ask, or that of the first asked step after it."""
    names = [step.name for step in derivation.steps]
    return next((ask for ask in derivation.asks if names.index(ask.name) >= names.index(name)), None)


def ends_early(value: Array, decimals: int = WRITTEN_OUT) -> bool:
    """Whether all numbers end after a few decimals, so that they are copied as they are and not rounded."""
    return bool((np.abs(value - np.round(value, decimals)) <= HAIR).all())


def _bumps(ask: Ask, value: Array) -> Iterator[Array]:
    """Half a unit in one asked cell after the other, and nothing in all other cells of the step."""
    nothing = np.zeros_like(value)
    part = ask.pick(nothing)
    for cell in np.ndindex(part.shape):
        moved = part.copy()
        moved[cell] = half_unit(ask)
        yield ask.put(moved, nothing)
