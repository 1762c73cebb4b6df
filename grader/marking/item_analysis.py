"""Figures of an item and of a whole set of items, by Moodle's definitions, from sums that a database works out.

x is the mark of an item, X a learner's total, y = X - x the rest. Variances and covariances divide by n - 1. The
figures of one item are taken over those who have a mark for it; in a total, an item without a mark counts as 0.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum

# Under so many learners a figure says more about them than about the item.
FEW = 10
LEAST_EFFICIENCY = 15.0
HARDEST, EASIEST = 0.3, 0.95
# From so many wrong answers on, this share of them without a name wants a new misconception.
WRONG_ENOUGH = 5
UNEXPLAINED_SHARE = 0.5
# Two variants of one item whose facility differs by more are not the same question.
VARIANT_SPREAD = 0.3


@dataclass(frozen=True, slots=True)
class ItemSums:
    """Sums over the `n` learners with a mark: squares and products of x and y about their means.

    `sxy_most` is the sum of products if the best x met the best y. `sum_x_total` is the sum of x·(X − mean X), and
    `sxx_with_zeros` the sum of squares of x about its mean if every learner without a mark had 0.
    """

    max_score: float
    n: int
    mean: float
    sxx: float
    syy: float
    sxy: float
    sxy_most: float
    sum_x_total: float
    sxx_with_zeros: float


@dataclass(frozen=True, slots=True)
class TotalSums:
    """Of the totals of `n` learners: the mean, and the sums of 2nd, 3rd and 4th powers about it."""

    n: int
    mean: float
    s2: float
    s3: float
    s4: float


@dataclass(frozen=True, slots=True)
class ItemFigures:
    """Facility as a share, everything else in per cent; None where a spread is 0 or there are too few learners for one."""

    n: int
    facility: float | None
    discrimination: float | None
    efficiency: float | None
    effective_weight: float | None

    @property
    def is_too_few(self) -> bool:
        """Whether the figures rest on hardly anybody."""
        return self.n < FEW


@dataclass(frozen=True, slots=True)
class TotalFigures:
    """Of the totals: mean and spread in points; internal consistency (α) and error ratio in per cent."""

    n: int
    mean: float | None
    deviation: float | None
    consistency: float | None
    error_ratio: float | None
    standard_error: float | None
    skewness: float | None
    kurtosis: float | None

    @property
    def is_too_few(self) -> bool:
        """Whether the figures rest on hardly anybody."""
        return self.n < FEW


class Flag(StrEnum):
    """What an author should look at."""

    HARD = "hard"
    EASY = "easy"
    BACKWARDS = "backwards"
    WEAK = "weak"
    UNEXPLAINED = "unexplained"
    UNEVEN = "uneven"


def item_figures(sums: Sequence[ItemSums], total: TotalSums) -> tuple[ItemFigures, ...]:
    """The figures of each item of one set, in the same order."""
    roots = [_root_of_covariance(each, total) for each in sums]
    all_roots = sum(root for root in roots if root is not None)
    return tuple(
        ItemFigures(
            n=each.n,
            facility=each.mean / each.max_score if each.n else None,
            discrimination=_share(each.sxy, math.sqrt(each.sxx * each.syy)),
            efficiency=_share(each.sxy, each.sxy_most),
            effective_weight=None if root is None else _share(root, all_roots),
        )
        for each, root in zip(sums, roots, strict=True)
    )


def total_figures(sums: Sequence[ItemSums], total: TotalSums) -> TotalFigures:
    """The figures of the set as a whole."""
    n = total.n
    if n < 2:  # noqa: PLR2004 -- one learner has no spread
        return TotalFigures(n, total.mean if n else None, None, None, None, None, None, None)
    variance = total.s2 / (n - 1)
    deviation = math.sqrt(variance)
    consistency = _consistency([each.sxx_with_zeros / (n - 1) for each in sums], variance)
    error_ratio = None if consistency is None else 100 * math.sqrt(1 - consistency / 100)
    return TotalFigures(
        n=n,
        mean=total.mean,
        deviation=deviation,
        consistency=consistency,
        error_ratio=error_ratio,
        standard_error=None if error_ratio is None else error_ratio * deviation / 100,
        skewness=_skewness(total),
        kurtosis=_kurtosis(total),
    )


def flags(figures: ItemFigures, *, wrong: int, unexplained: int, variants: Sequence[float] = ()) -> Iterator[Flag]:
    """What to look at; nothing where there are too few learners. `variants` are facilities, each of enough learners."""
    if figures.is_too_few or figures.facility is None:
        return
    if figures.facility < HARDEST:
        yield Flag.HARD
    if figures.facility > EASIEST:
        yield Flag.EASY
    if figures.discrimination is not None and figures.discrimination < 0:
        yield Flag.BACKWARDS
    elif figures.efficiency is not None and figures.efficiency < LEAST_EFFICIENCY:
        yield Flag.WEAK
    if wrong >= WRONG_ENOUGH and unexplained > UNEXPLAINED_SHARE * wrong:
        yield Flag.UNEXPLAINED
    if variants and max(variants) - min(variants) > VARIANT_SPREAD:
        yield Flag.UNEVEN


def _root_of_covariance(each: ItemSums, total: TotalSums) -> float | None:
    """√cov(x, X); None where the covariance is negative, as then the item has no weight of its own."""
    return math.sqrt(each.sum_x_total / (total.n - 1)) if total.n > 1 and each.sum_x_total >= 0 else None


def _share(part: float, whole: float) -> float | None:
    return 100 * part / whole if whole else None


def _consistency(variances: Sequence[float], variance: float) -> float | None:
    """Cronbach's α in per cent; below 0 where items work against each other."""
    count = len(variances)
    if count < 2 or not variance:  # noqa: PLR2004 -- one item is consistent with nothing
        return None
    return 100 * count / (count - 1) * (1 - sum(variances) / variance)


def _skewness(total: TotalSums) -> float | None:
    n = total.n
    if n < 3 or not total.s2:  # noqa: PLR2004 -- what the definition divides by
        return None
    k3 = n * total.s3 / ((n - 1) * (n - 2))
    return k3 / math.pow(total.s2 / (n - 1), 1.5)


def _kurtosis(total: TotalSums) -> float | None:
    n = total.n
    if n < 4 or not total.s2:  # noqa: PLR2004 -- what the definition divides by
        return None
    m2, m4 = total.s2 / n, total.s4 / n
    k4 = n * n * ((n + 1) * m4 - 3 * (n - 1) * m2 * m2) / ((n - 1) * (n - 2) * (n - 3))
    return k4 / (total.s2 / (n - 1)) ** 2
