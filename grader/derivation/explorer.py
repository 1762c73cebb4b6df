"""What each mistake gives on each of some seeds, for an author's eyes: also on seeds that are not issued."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

import numpy as np

from grader.attention.projection import Array
from grader.derivation.graph import Derivation, Values
from grader.derivation.slips import Slip, before, outcome
from grader.derivation.tolerance import tolerances
from grader.derivation.variants import SEPARATION, draw, is_separable, slip_classes


@dataclass(frozen=True, slots=True)
class SlipOutcome:
    """What one mistake gives for the asked cells; None where it cannot be made on these numbers.

    `meets` is whose answer lies too close to be told from it: another slip, or None for the right answer.
    """

    slip: Slip
    cells: tuple[float, ...] | None
    is_collision: bool
    meets: Slip | None = None


@dataclass(frozen=True, slots=True)
class SeedOutcome:
    """One seed: its numbers, the right answer for the asked cells, all mistakes, and whether learners can get it."""

    seed: int
    givens: Values
    right: tuple[float, ...]
    slips: tuple[SlipOutcome, ...]
    is_issued: bool


def explore(derivation: Derivation, seeds: Iterable[int]) -> Iterator[SeedOutcome]:
    """Every seed with what comes of it."""
    for seed in seeds:
        givens = draw(derivation, seed)
        right = derivation.evaluate(givens)
        allowed = tolerances(derivation, givens, values=right)
        units = np.concatenate([allowed[ask.name].reshape(-1) for ask in derivation.asks])
        yield SeedOutcome(
            seed=seed,
            givens=givens,
            right=_rounded(derivation, _asked(derivation, right)),
            slips=tuple(_slips(derivation, givens, right, units)),
            is_issued=is_separable(derivation, givens),
        )


def _slips(derivation: Derivation, givens: Values, right: Values, units: Array) -> Iterator[SlipOutcome]:
    seen: list[tuple[Slip | None, Array]] = [(None, _asked(derivation, right))]
    for slip in slip_classes(derivation):
        wrong = outcome(derivation, slip, givens, known=before(derivation, slip, right))
        if wrong is None:
            yield SlipOutcome(slip, None, is_collision=False)
            continue
        answer = _asked(derivation, wrong)
        met = next((other for other in seen if float((np.abs(answer - other[1]) / units).max()) < SEPARATION), None)
        seen.append((slip, answer))
        cells = _rounded(derivation, answer)
        yield SlipOutcome(slip, cells, is_collision=met is not None, meets=met[0] if met else None)


def _asked(derivation: Derivation, values: Values) -> Array:
    """All asked cells in a row."""
    return np.concatenate([ask.pick(values[ask.name]).reshape(-1) for ask in derivation.asks])


def _rounded(derivation: Derivation, cells: Array) -> tuple[float, ...]:
    digits = max(ask.decimals for ask in derivation.asks)
    return tuple(float(np.round(cell, digits)) + 0.0 for cell in cells)
