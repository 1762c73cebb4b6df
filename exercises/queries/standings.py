"""Where students stand with items: the one place that knows how tries become a state.

Three rules hold for every figure: a failure of ours is no try and no answer, an uncounted submission counts nowhere, and
the best standing score is the score, unless the item's policy says otherwise.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from decimal import Decimal
from enum import StrEnum
from typing import Any, TypedDict, cast

from django.db.models import Case, Count, IntegerField, Max, Q, QuerySet, Value, When

from exercises.enums import GradingProgress, ItemKind, Verdict
from exercises.models import Submission
from exercises.queries.policies import GovernedTries, governed_tries
from grader.bank import parse_policy

VERDICTS_UPWARD = [Verdict.INCORRECT, Verdict.PARTIALLY_CORRECT, Verdict.CORRECT]
WAITING = [GradingProgress.PENDING, GradingProgress.PENDING_MANUAL]


class ItemState(StrEnum):
    """What one student has done with one item, in the order of precedence from the end."""

    OPEN = "open"
    TROUBLE = "trouble"
    TRIED = "tried"
    SHOWN = "shown"
    WAITING = "waiting"
    DONE = "done"


@dataclass(frozen=True, slots=True)
class Standing:
    """The sum of one student's submissions to one item."""

    state: ItemState
    tries: int
    waiting: int
    score: Decimal | None
    verdict: Verdict | None

    @property
    def is_attempted(self) -> bool:
        """Whether the student has sent anything that counts."""
        return self.tries > 0


NOTHING_YET = Standing(state=ItemState.OPEN, tries=0, waiting=0, score=None, verdict=None)


class _Counts(TypedDict):
    """One row of the counting query."""

    attempt__enrollment_id: int
    attempt__item_id: int
    attempt__item__kind: str
    attempt__item__policy: dict[str, Any]
    tries: int
    waiting: int
    failed: int
    shown: int
    score: Decimal | None
    rank: int | None


Standings = Mapping[tuple[int, int], Standing]


def standings(submissions: QuerySet[Submission]) -> Standings:
    """(enrollment id, item id) -> standing, for the given submissions, counted by the database in one query.

    Where items have a policy, a second query reads the tries at those.
    """
    rows = (
        submissions.order_by()
        .values("attempt__enrollment_id", "attempt__item_id", "attempt__item__kind", "attempt__item__policy")
        .annotate(
            tries=Count("id", filter=Q(counted=True)),
            waiting=Count("id", filter=Q(counted=True, grading_progress__in=WAITING)),
            failed=Count("id", filter=Q(grading_progress=GradingProgress.FAILED)),
            shown=Count("id", filter=Q(attempt__shown_at__isnull=False)),
            score=Max("standing_mark__score", filter=Q(counted=True)),
            rank=Max(_verdict_rank(), filter=Q(counted=True)),
        )
    )
    counts = {(row["attempt__enrollment_id"], row["attempt__item_id"]): row for row in cast("Iterable[_Counts]", rows)}
    policies = {
        item: parse_policy(row["attempt__item__policy"])
        for (_, item), row in counts.items()
        if row["attempt__item__policy"]
    }
    governed = governed_tries(submissions, policies)
    return {key: _standing(row, governed.get(key)) for key, row in counts.items()}


def _verdict_rank() -> Case:
    ranks = [When(standing_mark__verdict=verdict, then=Value(rank)) for rank, verdict in enumerate(VERDICTS_UPWARD)]
    return Case(*ranks, output_field=IntegerField())


def _standing(row: _Counts, governed: GovernedTries | None) -> Standing:
    best = None if row["rank"] is None else VERDICTS_UPWARD[row["rank"]]
    verdict = governed.verdict(best) if governed else best
    return Standing(
        state=_state(row, verdict),
        tries=row["tries"],
        waiting=row["waiting"],
        score=governed.score if governed else row["score"],
        verdict=verdict,
    )


def _state(row: _Counts, verdict: Verdict | None) -> ItemState:
    is_read = row["attempt__item__kind"] == ItemKind.FREE_TEXT and verdict is not None
    if verdict is Verdict.CORRECT or (is_read and not row["waiting"]):
        return ItemState.DONE
    if row["waiting"]:
        return ItemState.WAITING
    if row["tries"]:
        return ItemState.SHOWN if row["shown"] else ItemState.TRIED
    return ItemState.TROUBLE if row["failed"] else ItemState.OPEN
