"""How long something learned is likely to be remembered: FSRS, replayed over what was recalled and when.

Nothing of it is stored. The answers that were sent are the only truth, so a memory can always be explained by them, and
a better model of forgetting reaches back over all that has happened.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from enum import IntEnum
from typing import Final

from fsrs import Card, Rating, Scheduler

# Steps of minutes are for cards that one crams; here a day passes before anything comes back.
_SCHEDULER: Final = Scheduler(learning_steps=(), relearning_steps=(), maximum_interval=365, enable_fuzzing=False)


class Recall(IntEnum):
    """How something came back to mind; the values are those of FSRS."""

    MISSED = Rating.Again
    WITH_HELP = Rating.Hard
    ALONE = Rating.Good


@dataclass(frozen=True, slots=True)
class Memory:
    """What FSRS makes of a history; `due_at` is when one recall in ten would fail."""

    card: Card
    due_at: datetime

    def strength(self, now: datetime) -> float:
        """How likely it is recalled at this moment, from 0 to 1."""
        return float(_SCHEDULER.get_card_retrievability(self.card, now))


def memory_of(recalls: Iterable[tuple[datetime, Recall]]) -> Memory | None:
    """The memory after these recalls, the oldest first; None where there was none."""
    card = None
    for at, recall in recalls:
        # Django gives times in UTC, which is what FSRS asks for.
        card, _ = _SCHEDULER.review_card(card or Card(card_id=0, due=at), Rating(recall), at)
    return Memory(card, card.due) if card else None
