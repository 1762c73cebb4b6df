"""Slips: named wrong computations. A slip is a derivation's step, done in a way that learners really do it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import lru_cache

import numpy as np

from grader.attention.projection import Array
from grader.derivation.graph import Derivation, Step, Values
from grader.derivation.slips.cache import CACHE_SLIPS
from grader.derivation.slips.heads import HEAD_SLIPS
from grader.derivation.slips.logits import LOGITS_SLIPS
from grader.derivation.slips.masks import MASK_SLIPS
from grader.derivation.slips.misplaced import late_scales, unasked_scales
from grader.derivation.slips.mixing import MIXING_SLIPS
from grader.derivation.slips.projection import PROJECTION_SLIPS
from grader.derivation.slips.roles import role_swaps
from grader.derivation.slips.scale import SCALE_SLIPS
from grader.derivation.slips.sight import partial_sights
from grader.derivation.slips.weights import WEIGHT_SLIPS
from grader.derivation.slips.wrong_forward import WrongForward

WRONG_FORWARDS = (
    *PROJECTION_SLIPS,
    *LOGITS_SLIPS,
    *WEIGHT_SLIPS,
    *SCALE_SLIPS,
    *MASK_SLIPS,
    *MIXING_SLIPS,
    *HEAD_SLIPS,
    *CACHE_SLIPS,
)


# Mistakes that learners make together, a wrong array before a wrong method, an earlier step before a later one. All other pairs explain too much: with every pair allowed, nearly any wrong
# matrix would find two.
PAIRS = (
    ("wrong_matrix", "w_transposed"),
    ("wrong_matrix", "bias_dropped"),
    ("logits_transposed", "scale_missing"),
    ("logits_transposed", "softmax_down_columns"),
    ("scale_missing", "softmax_down_columns"),
    ("scale_missing", "softmax_no_normaliser"),
    ("scale_missing", "mask_forgotten"),
    ("scale_missing", "mask_with_zero"),
    ("scale_missing", "mask_after_softmax"),
)


@dataclass(frozen=True, slots=True)
class Slip:
    """One misconception at one step: `wrong` stands in the place of the derivation's step of the same name.

    `swap` tells slips of role apart: which array was taken for which. `also` are later steps done wrong in the same way.
    """

    slug: str
    wrong: Step
    swap: str = ""
    also: tuple[Step, ...] = ()

    @property
    def key(self) -> tuple[str, str, str, str]:
        """What tells it apart from the other slips of its derivation, and is the same for another set of sizes."""
        return (self.slug, self.wrong.name, self.wrong.operation.letters, self.swap)

    @property
    def steps(self) -> tuple[Step, ...]:
        """Every step that it does otherwise."""
        return (self.wrong, *self.also)

    def put_into(self, derivation: Derivation) -> Derivation:
        """The derivation with this slip in it."""
        for step in self.steps:
            derivation = derivation.with_step(step)
        return derivation


@lru_cache(maxsize=256)
def slips_of(derivation: Derivation) -> tuple[Slip, ...]:
    """Every slip that the derivation's operations and shapes allow, whether or not a variant can show it."""
    return (
        *_wrong_forwards(derivation),
        *(Slip(*found) for found in role_swaps(derivation)),
        *(Slip(*found) for found in unasked_scales(derivation)),
        *(Slip(slug, scale, also=(weigh,)) for slug, (scale, weigh) in late_scales(derivation)),
        *(Slip(slug, first, also=tuple(others)) for slug, (first, *others) in partial_sights(derivation)),
    )


def _wrong_forwards(derivation: Derivation) -> Iterator[Slip]:
    for step in derivation.steps:
        for wrong in WRONG_FORWARDS:
            if not wrong.everywhere and _can_be_made(wrong, step):
                yield Slip(wrong.slug, _made(wrong, step))
    for wrong in WRONG_FORWARDS:
        steps = [_made(wrong, step) for step in derivation.steps if wrong.everywhere and _can_be_made(wrong, step)]
        if steps:
            yield Slip(wrong.slug, steps[0], also=tuple(steps[1:]))


def _can_be_made(wrong: WrongForward, step: Step) -> bool:
    return wrong.operation == step.operation.name and len(step.arguments) in wrong.takes


def _made(wrong: WrongForward, step: Step) -> Step:
    """The step as the slip does it."""
    operation = replace(
        step.operation,
        forward=wrong.forward,
        letters=wrong.letters,
        letters_with_all=wrong.letters_with_all,
        leaps_in=wrong.leaps_in,
    )
    return replace(step, operation=operation)


@lru_cache(maxsize=256)
def slip_pairs(derivation: Derivation) -> tuple[tuple[Slip, Slip], ...]:
    """The pairs that occur in practice, at one step or at two; of each pair the slip of the earlier step comes first."""
    order = {step.name: place for place, step in enumerate(derivation.steps)}
    by_slug: dict[str, list[Slip]] = {}
    for slip in slips_of(derivation):
        by_slug.setdefault(slip.slug, []).append(slip)
    return tuple(
        _combined(first, second) if order[first.wrong.name] <= order[second.wrong.name] else (second, first)
        for one, other in PAIRS
        for first in by_slug.get(one, ())
        for second in by_slug.get(other, ())
    )


def _combined(first: Slip, second: Slip) -> tuple[Slip, Slip]:
    """Both slips; at one step, the wrong array of the first in the wrong forward function of the second."""
    if first.wrong.name != second.wrong.name:
        return first, second
    return first, replace(second, wrong=replace(second.wrong, arguments=first.wrong.arguments))


def outcome(
    derivation: Derivation, slip: Slip, givens: Values, *, known: Values | None = None
) -> dict[str, Array] | None:
    """Every array of the computation with the slip in it; None where these sizes or numbers do not allow it."""
    try:
        with np.errstate(all="ignore"):
            values = derivation.evaluate(givens, known=known, instead=slip.steps)
    except (ValueError, IndexError):  # the shapes of these numbers do not meet
        return None
    taken_over = known or {}
    is_finite = all(np.isfinite(values[step.name]).all() for step in derivation.steps if step.name not in taken_over)
    return values if is_finite else None


def before(derivation: Derivation, slip: Slip, values: Values) -> dict[str, Array]:
    """The steps before the slip, with their right values: they need not be run again to see what the slip does."""
    names = [step.name for step in derivation.steps]
    return {name: values[name] for name in names[: names.index(slip.wrong.name)]}
