"""Take an item out of the grades of a course, or let it count again."""

from __future__ import annotations

from django.db import transaction
from django.db.models import F, QuerySet

from exercises.enums import Act
from exercises.models import Assignment, AssignmentItem, Course, Item, User
from exercises.queries.terms import VOID
from exercises.services.audit_record import note
from exercises.services.storable import storable_text
from grader.marking.text import Text

TITLE = Text("不计分的题目", "Exercises that do not count")


def item_void(*, instructor: User, course: Course, item: Item, reason: str) -> bool:
    """Put the item among those of weight nought: its marks stay to be read. False if it is there already.

    Dates, tries and what is kept back stay those of the assignment that it comes from.
    """
    with transaction.atomic():
        void, _is_new = Assignment.objects.get_or_create(
            course=course, slug=VOID, defaults={"title": TITLE.to_json(), "weight": 0}
        )
        was = AssignmentItem.objects.filter(course=course, item=item).first()
        if was is not None and was.assignment_id == void.pk:
            return False
        taken = {"assignment": void, "taken_from_id": was.assignment_id if was else None}
        AssignmentItem.objects.update_or_create(course=course, item=item, defaults=taken)
        detail = {"reason": storable_text(reason)}
        note(actor=instructor, course=course, act=Act.VOID_ITEM, subject=item, detail=detail)
    return True


def item_count_again(*, instructor: User, course: Course, item: Item) -> bool:
    """Give the item back to the assignment that it comes from; False if it was not taken out."""
    with transaction.atomic():
        out = AssignmentItem.objects.filter(course=course, item=item, assignment__slug=VOID)
        if not out.exists():
            return False
        void_give_back(out)
        note(actor=instructor, course=course, act=Act.COUNT_ITEM, subject=item)
    return True


def void_give_back(out: QuerySet[AssignmentItem]) -> None:
    """Put items that do not count back where they come from."""
    out.filter(taken_from=None).delete()
    out.update(assignment=F("taken_from"), taken_from=None)
