"""The items of a course as a list, for those who know them by slug."""

from __future__ import annotations

from dataclasses import dataclass
from decimal import Decimal

from exercises.enums import ItemKind
from exercises.models import Enrollment, Item, Submission
from exercises.queries.standings import NOTHING_YET, Standing, standings
from grader.marking.text import Text


@dataclass(frozen=True, slots=True)
class ItemRow:
    """An item, and how one member stands with it."""

    slug: str
    lesson_slug: str
    title: Text
    kind: ItemKind
    max_score: Decimal
    standing: Standing


def item_list(enrollment: Enrollment) -> tuple[ItemRow, ...]:
    """All items in the order of the lessons. Two queries."""
    items = Item.objects.filter(curriculum=enrollment.course.curriculum, is_active=True)
    ordered = items.select_related("lesson").order_by("lesson__position", "position")
    mine = standings(Submission.objects.filter(attempt__enrollment=enrollment), for_learner=True)
    return tuple(item_row(item, mine.get((enrollment.pk, item.pk), NOTHING_YET)) for item in ordered)


def item_row(item: Item, standing: Standing) -> ItemRow:
    """One item of the list."""
    return ItemRow(
        slug=item.slug,
        lesson_slug=item.lesson.slug,
        title=Text.from_json(item.title),
        kind=ItemKind(item.kind),
        max_score=item.max_score,
        standing=standing,
    )


def item_standing(enrollment: Enrollment, item: Item) -> Standing:
    """How one member stands with one item. One query."""
    sent = Submission.objects.filter(attempt__enrollment=enrollment, attempt__item=item)
    mine = standings(sent, for_learner=True)
    return mine.get((enrollment.pk, item.pk), NOTHING_YET)
