"""Variants: concrete numbers for a derivation, drawn so that every mistake can be told from every other.

Slips that give the same numbers wherever they are tried are one computation under several names: they form one class.
A seed is issued only if the right answer and the classes all lie at least `SEPARATION` tolerances apart, so a wrong
answer that equals one slip's outcome cannot equal another's; and only if no slip is about to leap, as the choice of the
largest does near a tie: there each learner who makes it would get something else.
"""

from __future__ import annotations

import math
import random
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from grader.attention.projection import Array
from grader.derivation.convention import tables
from grader.derivation.graph import Derivation, Given, Values
from grader.derivation.slips import Slip, before, outcome, slips_of
from grader.derivation.tolerance import HAIR, WRITTEN_OUT, ends_early, half_unit, tolerances

SEPARATION = 5.0
PROBES = 5
TRIES = 500


class NoSeparableVariantError(ValueError):
    """No seed near the first one tells the mistakes apart: the item's draw is too poor."""


@dataclass(frozen=True, slots=True)
class Variant:
    """The numbers of one seed."""

    seed: int
    givens: Values


def draw(derivation: Derivation, seed: int) -> dict[str, Array]:
    """The givens of a seed, separable or not. Only `random()` is used: its stream is the same on every Python."""
    stream = random.Random(seed)  # noqa: S311 -- numbers of an exercise, no secret
    return {
        given.name: np.array(
            [given.draw[int(stream.random() * len(given.draw))] for _ in range(_count(derivation.size(given)))]
        ).reshape(derivation.size(given))
        for given in derivation.givens
    }


def separable_variant(derivation: Derivation, first_seed: int) -> Variant:
    """The first variant, counting up from a seed, on which all mistakes differ. Raises NoSeparableVariantError."""
    for seed in range(first_seed, first_seed + TRIES):
        givens = draw(derivation, seed)
        if is_separable(derivation, givens):
            return Variant(seed, givens)
    raise NoSeparableVariantError(f"none of {TRIES} seeds from {first_seed} tells the mistakes apart")


def is_separable(derivation: Derivation, givens: Values) -> bool:
    """Whether the right answer and the slip classes lie pairwise at least SEPARATION tolerances apart, and none leaps."""
    right = derivation.evaluate(givens)
    answers = [right, *other_layouts(derivation, right)]
    # Tolerances are dear, and never below half a unit: what lies too close by that measure needs none.
    half_units = {ask.name: half_unit(ask) for ask in derivation.asks}
    for slip in slip_classes(derivation):
        wrong = outcome(derivation, slip, givens, known=before(derivation, slip, right))
        if wrong is not None:
            answers.append(wrong)
    if _smallest_distance(derivation, answers, half_units) < SEPARATION:
        return False
    allowed = tolerances(derivation, givens, values=right)
    if _smallest_distance(derivation, answers, allowed) < SEPARATION:
        return False
    return leaping_slip(derivation, givens, right, allowed) is None


def _smallest_distance(derivation: Derivation, answers: list[Values], units: Mapping[str, Array | float]) -> float:
    """Of any two answers, where the distance of two is the largest of their cells'."""
    points = np.stack([_in_units(derivation, values, units) for values in answers])  # (answers, asked cells)
    distance = np.abs(points[:, None, :] - points[None, :, :]).max(axis=-1)
    np.fill_diagonal(distance, np.inf)
    return float(distance.min())


def leaping_slip(derivation: Derivation, givens: Values, right: Values, allowed: Values) -> Slip | None:
    """A slip class whose outcome leaps where its arguments are a little off, if there is one on these numbers."""
    leaps = (slip for slip in slip_classes(derivation) if slip.wrong.operation.leaps_in is not None)
    return next((slip for slip in leaps if _is_about_to_leap(derivation, slip, givens, right, allowed)), None)


def _is_about_to_leap(derivation: Derivation, slip: Slip, givens: Values, right: Values, allowed: Values) -> bool:
    """Whether arguments a little larger and a little smaller do not move an asked cell alike.

    The arguments move along a slope that lets neighbours which rounding could exchange change their order.
    """
    name = slip.wrong.arguments[slip.wrong.operation.leaps_in or 0]
    slope = _reach(derivation, name, right[name], allowed) * np.arange(1, right[name].shape[-1] + 1)
    known = before(derivation, slip, right)
    at, more, less = (
        outcome(derivation, slip, {**givens, name: moved}, known={**known, name: moved})
        for moved in (right[name], right[name] + slope, right[name] - slope)
    )
    if at is None:  # the mistake cannot be made on these numbers
        return False
    if more is None or less is None:
        return True
    here, above, below = (_in_units(derivation, values, allowed) for values in (at, more, less))
    way, bend = np.abs(above - here) + np.abs(here - below), np.abs(above - 2 * here + below)
    return bool(((way > 1) & (bend > way / 2)).any())


def _reach(derivation: Derivation, name: str, value: Array, allowed: Values) -> float:
    """How far apart two numbers of an array may be and still be exchanged by rounding.

    Where all can be written down as they are only equal ones can, and those lie no hair apart.
    """
    ask = next((ask for ask in derivation.asks if ask.name == name), None)
    if ends_early(value, ask.decimals if ask else WRITTEN_OUT):
        return HAIR / 100
    return 2 * (float(allowed[name].max()) if ask else max(map(half_unit, derivation.asks)))


def other_layouts(derivation: Derivation, right: Values) -> Iterator[Values]:
    """The right answer with one square field laid out in the other convention; a table lies the same way in both."""
    same = tables(derivation)
    for ask in derivation.asks:
        part = ask.pick(right[ask.name])
        if ask.name not in same and part.shape == part.T.shape and part.ndim > 1:
            yield {**right, ask.name: ask.put(part.T, right[ask.name])}


@lru_cache(maxsize=256)
def slip_classes(derivation: Derivation) -> tuple[Slip, ...]:
    """One slip of each class that changes an asked cell and keeps every asked shape, the first in order."""
    probes = [_probe(derivation, number) for number in range(PROBES)]
    right = derivation.evaluate(probes[0])
    seen = [_signature(derivation, [derivation.evaluate(probe) for probe in probes])]
    classes = []
    for slip in slips_of(derivation):
        wrong = [outcome(derivation, slip, probe) for probe in probes]
        finite = [values for values in wrong if values is not None]
        if len(finite) < PROBES or not can_be_entered(derivation, finite[0], right):
            continue
        signature = _signature(derivation, finite)
        if not any(np.allclose(signature, other, rtol=1e-9, atol=1e-12) for other in seen):
            seen.append(signature)
            classes.append(slip)
    return tuple(classes)


def can_be_entered(derivation: Derivation, wrong: Values, right: Values) -> bool:
    """Whether wrong arrays have the shapes of the right ones: a page has no cells for others."""
    return all(wrong[ask.name].shape == right[ask.name].shape for ask in derivation.asks)


def _probe(derivation: Derivation, number: int) -> dict[str, Array]:
    """Random floats of the item's sizes: two computations that agree on these are one."""
    stream = random.Random(number)  # noqa: S311 -- a probe, no secret
    return {
        given.name: np.array([_probed(given, stream.random()) for _ in range(_count(derivation.size(given)))]).reshape(
            derivation.size(given)
        )
        for given in derivation.givens
    }


def _probed(given: Given, chance: float) -> float:
    """One number of a probe, with a sign that is drawn. A mask, and a lone number, keep to what they are drawn from."""
    drawn = given.draw[int(chance * len(given.draw))]
    is_fixed = not given.shape or (0 in given.draw and set(given.draw) <= {0, 1})
    return drawn if is_fixed else math.copysign(chance + 0.25, drawn)


def _signature(derivation: Derivation, runs: list[dict[str, Array]]) -> Array:
    return np.concatenate([ask.pick(values[ask.name]).reshape(-1) for values in runs for ask in derivation.asks])


def _in_units(derivation: Derivation, values: Values, units: Mapping[str, Array | float]) -> Array:
    """All asked cells in a row, in units of what each may be off."""
    return np.concatenate([(ask.pick(values[ask.name]) / units[ask.name]).reshape(-1) for ask in derivation.asks])


def _count(size: tuple[int, ...]) -> int:
    return int(np.prod(size, dtype=int))
