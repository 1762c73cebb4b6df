"""Variants: concrete numbers for a derivation, drawn so that every mistake can be told from every other.

Slips that give the same numbers wherever they are tried are one computation under several names: they form one class.
A seed is issued only if the right answer and the classes all lie at least `SEPARATION` tolerances apart, so a wrong
answer that equals one slip's outcome cannot equal another's.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from grader.attention.projection import Array
from grader.derivation.convention import tables
from grader.derivation.graph import Derivation, Given, Values
from grader.derivation.slips import Slip, outcome, slips_of
from grader.derivation.tolerance import tolerances

SEPARATION = 5.0
PROBES = 3
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
    """Whether the right answer and the slip classes lie pairwise at least SEPARATION tolerances apart."""
    allowed = tolerances(derivation, givens)
    right = derivation.evaluate(givens)
    rows = [_in_tolerances(derivation, values, allowed) for values in (right, *other_layouts(derivation, right))]
    for slip in slip_classes(derivation):
        wrong = outcome(derivation, slip, givens)
        if wrong is not None:
            rows.append(_in_tolerances(derivation, wrong, allowed))
    points = np.stack(rows)  # (classes + 1, asked cells)
    distance = np.abs(points[:, None, :] - points[None, :, :]).max(axis=-1)
    np.fill_diagonal(distance, np.inf)
    return bool(distance.min() >= SEPARATION)


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
    seen = [_signature(derivation, [derivation.evaluate(probe) for probe in probes])]
    classes = []
    for slip in slips_of(derivation):
        wrong = [outcome(derivation, slip, probe) for probe in probes]
        finite = [values for values in wrong if values is not None]
        if len(finite) < PROBES or not _same_shapes(derivation, finite[0], probes[0]):
            continue
        signature = _signature(derivation, finite)
        if not any(np.allclose(signature, other, rtol=1e-9, atol=1e-12) for other in seen):
            seen.append(signature)
            classes.append(slip)
    return tuple(classes)


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
    """One number of a probe. A mask, and a lone number, keep to what they are drawn from."""
    is_fixed = not given.shape or (0 in given.draw and set(given.draw) <= {0, 1})
    return given.draw[int(chance * len(given.draw))] if is_fixed else chance + 0.25


def _signature(derivation: Derivation, runs: list[dict[str, Array]]) -> Array:
    return np.concatenate([ask.pick(values[ask.name]).reshape(-1) for values in runs for ask in derivation.asks])


def _same_shapes(derivation: Derivation, wrong: Values, givens: Values) -> bool:
    right = derivation.evaluate(givens)
    return all(wrong[ask.name].shape == right[ask.name].shape for ask in derivation.asks)


def _in_tolerances(derivation: Derivation, values: Values, allowed: Values) -> Array:
    return np.concatenate([(ask.pick(values[ask.name]) / allowed[ask.name]).reshape(-1) for ask in derivation.asks])


def _count(size: tuple[int, ...]) -> int:
    return int(np.prod(size, dtype=int))
