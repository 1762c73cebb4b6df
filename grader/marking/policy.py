"""What tries are worth: how many there are, what each costs, and which of them stands.

A penalty works as on a paper exam that may be handed in again: a try adds the part of its gain over the best try before
it that its weight leaves. So no retry ever loses points, and points once earned are never charged for again. Lateness is
charged in the same way: it takes its share of what a late try adds.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal
from enum import StrEnum

from grader.marking.points import rounded


class Counts(StrEnum):
    """Which try stands."""

    BEST = "best"
    LAST = "last"


@dataclass(frozen=True, slots=True)
class Policy:
    """How many tries there are (None: any number), and the share that the first, second, … try loses.

    The last penalty holds for every try after it. An identical answer is no try: it never gets this far.
    """

    tries: int | None = None
    penalties: tuple[Decimal, ...] = ()
    counts: Counts = Counts.BEST

    def weight(self, number: int) -> Decimal:
        """The share that a try keeps, counting from 0."""
        return 1 - self.penalties[min(number, len(self.penalties) - 1)] if self.penalties else Decimal(1)


PRACTICE = Policy()


@dataclass(frozen=True, slots=True)
class PolicyStanding:
    """What stands after some tries; the score is None before the first."""

    score: Decimal | None
    tries_left: int | None

    @property
    def may_try(self) -> bool:
        """Whether one more try is allowed."""
        return self.tries_left != 0


def standing(policy: Policy, scores: Sequence[Decimal], kept: Sequence[Decimal] = ()) -> PolicyStanding:
    """Where somebody stands whose counted tries were scored so, in this order.

    `kept` is the share that lateness leaves of each; all of it where nothing is said.
    """
    left = None if policy.tries is None else max(0, policy.tries - len(scores))
    if not scores:
        return PolicyStanding(None, left)
    points = _last(policy, scores, kept) if policy.counts is Counts.LAST else _best(policy, scores, kept)
    return PolicyStanding(rounded(points), left)


def _best(policy: Policy, scores: Sequence[Decimal], kept: Sequence[Decimal]) -> Decimal:
    points = best = Decimal(0)
    for number, score in enumerate(scores):
        if score > best:
            points += (score - best) * policy.weight(number) * _kept(kept, number)
            best = score
    return points


def _last(policy: Policy, scores: Sequence[Decimal], kept: Sequence[Decimal]) -> Decimal:
    last = len(scores) - 1
    return scores[last] * policy.weight(last) * _kept(kept, last)


def _kept(kept: Sequence[Decimal], number: int) -> Decimal:
    return kept[number] if number < len(kept) else Decimal(1)
