"""Points are decimal numbers of two places: a binary float is no mark."""

from __future__ import annotations

from decimal import ROUND_HALF_UP, Decimal

HUNDREDTH = Decimal("0.01")


def rounded(points: Decimal) -> Decimal:
    """To the hundredth, halves up."""
    return points.quantize(HUNDREDTH, ROUND_HALF_UP)


def share(max_score: Decimal, part: int, whole: int) -> Decimal:
    """What `part` of `whole` equal parts earn."""
    return rounded(max_score * part / whole)
