"""The items of a course as its instructors keep them."""

from __future__ import annotations

from dataclasses import dataclass

from exercises.enums import ItemKind
from exercises.models import AssignmentItem, Course, Item
from exercises.queries.terms import VOID
from grader.marking.text import Text


@dataclass(frozen=True, slots=True)
class KeptItem:
    """An item with the version that is asked now."""

    slug: str
    title: Text
    lesson: Text
    kind: ItemKind
    version: int
    is_void: bool


def item_bank(course: Course) -> tuple[KeptItem, ...]:
    """All active items in the order of the lessons. Two queries."""
    void = set(void_items(course))
    items = Item.objects.filter(curriculum=course.curriculum_id, is_active=True)
    items = items.select_related("lesson__current_version", "current_version").defer(
        "current_version__definition", "lesson__current_version__source"
    )
    return tuple(
        KeptItem(
            slug=item.slug,
            title=Text.from_json(item.title),
            lesson=Text.from_json(item.lesson.title),
            kind=ItemKind(item.kind),
            version=item.version.number,
            is_void=item.pk in void,
        )
        for item in items.order_by("lesson__position", "position")
    )


def void_items(course: Course) -> list[int]:
    """The ids of the items that were taken out of the grades. One query."""
    out = AssignmentItem.objects.filter(course=course, assignment__slug=VOID)
    return list(out.values_list("item_id", flat=True))
