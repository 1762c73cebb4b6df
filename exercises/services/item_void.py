"""Take an item out of the grades of a course, or let it count again."""

from __future__ import annotations

from django.db import transaction

from exercises.enums import Act
from exercises.models import Assignment, AssignmentItem, Course, Item, User
from exercises.queries.item_bank import VOID
from exercises.services.audit_record import note
from exercises.services.storable import storable_text
from grader.marking.text import Text

TITLE = Text("不计分的题目", "Exercises that do not count")


def item_void(*, instructor: User, course: Course, item: Item, reason: str) -> bool:
    """Put the item among those of weight nought: its marks stay to be read. False if it is there already."""
    with transaction.atomic():
        void, _is_new = Assignment.objects.get_or_create(
            course=course, slug=VOID, defaults={"title": TITLE.to_json(), "weight": 0}
        )
        if AssignmentItem.objects.filter(course=course, item=item, assignment=void).exists():
            return False
        AssignmentItem.objects.update_or_create(course=course, item=item, defaults={"assignment": void})
        detail = {"reason": storable_text(reason)}
        note(actor=instructor, course=course, act=Act.VOID_ITEM, subject=item, detail=detail)
    return True


def item_count_again(*, instructor: User, course: Course, item: Item) -> bool:
    """Give the item back to the assignment of its lesson; False if it was not taken out."""
    with transaction.atomic():
        gone, _rows = AssignmentItem.objects.filter(course=course, item=item, assignment__slug=VOID).delete()
        if gone:
            note(actor=instructor, course=course, act=Act.COUNT_ITEM, subject=item)
    return bool(gone)
