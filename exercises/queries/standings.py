"""Where students stand with items: the one place that knows how tries become a state.

Three rules hold for every figure: a failure of ours is no try and no answer, an uncounted submission counts nowhere, and
the best standing score is the score.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from decimal import Decimal
from enum import StrEnum

from django.db.models import Case, Count, IntegerField, Max, Q, QuerySet, Value, When

from exercises.enums import GradingProgress, ItemKind, Verdict
from exercises.models import Submission

VERDICTS_UPWARD = [Verdict.INCORRECT, Verdict.PARTIALLY_CORRECT, Verdict.CORRECT]
WAITING = [GradingProgress.PENDING, GradingProgress.PENDING_MANUAL]


class ItemState(StrEnum):
    """What one student has done with one item, in the order of precedence from the end."""

    OPEN = "open"
    TROUBLE = "trouble"
    TRIED = "tried"
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

Standings = Mapping[tuple[int, int], Standing]


def standings(submissions: QuerySet[Submission]) -> Standings:
    """(enrollment id, item id) -> standing, for the given submissions, counted by the database in one query."""
    rows = (
        submissions.order_by()
        .values("attempt__enrollment_id", "attempt__item_id", "attempt__item__kind")
        .annotate(
            tries=Count("id", filter=Q(counted=True)),
            waiting=Count("id", filter=Q(counted=True, grading_progress__in=WAITING)),
            failed=Count("id", filter=Q(grading_progress=GradingProgress.FAILED)),
            score=Max("standing_mark__score", filter=Q(counted=True)),
            rank=Max(_verdict_rank(), filter=Q(counted=True)),
        )
    )
    return {(row["attempt__enrollment_id"], row["attempt__item_id"]): _standing(row) for row in rows}


def _verdict_rank() -> Case:
    ranks = [When(standing_mark__verdict=verdict, then=Value(rank)) for rank, verdict in enumerate(VERDICTS_UPWARD)]
    return Case(*ranks, output_field=IntegerField())


def _standing(row: Mapping[str, object]) -> Standing:
    tries, waiting, failed, score, rank = (row[name] for name in ("tries", "waiting", "failed", "score", "rank"))
    assert isinstance(tries, int)
    assert isinstance(waiting, int)
    assert score is None or isinstance(score, Decimal)
    verdict = VERDICTS_UPWARD[rank] if isinstance(rank, int) else None
    is_read_by_people = row["attempt__item__kind"] == ItemKind.FREE_TEXT
    if verdict is Verdict.CORRECT or (is_read_by_people and verdict is not None and not waiting):
        state = ItemState.DONE
    elif waiting:
        state = ItemState.WAITING
    elif tries:
        state = ItemState.TRIED
    else:
        state = ItemState.TROUBLE if failed else ItemState.OPEN
    return Standing(state=state, tries=tries, waiting=waiting, score=score, verdict=verdict)
