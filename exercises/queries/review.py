"""What is due for review now, cut into a sitting of five minutes."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Final

from django.utils import timezone

from exercises.enums import ItemKind
from exercises.queries.skills import SkillItem, SkillStanding

SITTING_MINUTES: Final = 5
# What one item takes, of the kinds that reviews draw on.
MINUTES: Final[Mapping[ItemKind, int]] = {
    ItemKind.CHOICE: 1,
    ItemKind.MATCH: 1,
    ItemKind.SHAPE: 1,
    ItemKind.ORDER: 1,
    ItemKind.PREDICT: 2,
    ItemKind.NUMERIC: 2,
    ItemKind.CODE: 5,
}


@dataclass(frozen=True, slots=True)
class Review:
    """A due skill, and the item by which it is shown again."""

    skill: SkillStanding
    item: SkillItem

    @property
    def minutes(self) -> int:
        """How long it may take."""
        return MINUTES[self.item.kind]


@dataclass(frozen=True, slots=True)
class ReviewQueue:
    """One sitting, the weakest memory first; `due` counts what is due beyond it as well."""

    sitting: tuple[Review, ...]
    due: int

    @property
    def minutes(self) -> int:
        """How long the sitting may take."""
        return sum(review.minutes for review in self.sitting)


def review_queue(skills: Iterable[SkillStanding]) -> ReviewQueue:
    """Pure: reads what `skill_standings` found."""
    now = timezone.now()
    due = sorted(
        ((skill.memory.strength(now), skill) for skill in skills if skill.memory and skill.is_due),
        key=lambda weakest_first: weakest_first[0],
    )
    reviews = [Review(skill, _item_for(skill)) for _, skill in due]
    return ReviewQueue(tuple(_one_sitting(reviews)), len(reviews))


def _one_sitting(due: list[Review]) -> Iterable[Review]:
    left = SITTING_MINUTES
    for place, review in enumerate(due):
        left -= review.minutes
        if left < 0 and place:
            return
        yield review


def _item_for(skill: SkillStanding) -> SkillItem:
    """The item of the skill that was answered longest ago, code only where nothing shorter is known.

    One that was never answered may belong to a lesson that lies ahead.
    """
    latest: dict[SkillItem, datetime] = {each.item: each.sent_at for each in skill.evidence if each.item.is_recalled}
    return min(latest, key=lambda item: (item.kind == ItemKind.CODE, latest[item]))
