"""The bank of comments that the instructors of a course share."""

from __future__ import annotations

from django.db import transaction

from exercises.enums import Act
from exercises.models import Course, StockComment, User
from exercises.services.audit_record import note
from exercises.services.storable import storable_text

LONGEST_STOCK_COMMENT = 500


class CannotKeep(ValueError):  # noqa: N818 -- shown to the instructor
    """An empty comment, or one of more than `LONGEST_STOCK_COMMENT` characters."""


def stock_comment_keep(*, instructor: User, course: Course, text: str) -> StockComment:
    """Put a comment into the bank; one that is there already stays. Raises CannotKeep."""
    said = storable_text(text).strip()
    if not said or len(said) > LONGEST_STOCK_COMMENT:
        raise CannotKeep
    with transaction.atomic():
        kept, is_new = StockComment.objects.get_or_create(course=course, text=said, defaults={"by": instructor})
        if is_new:
            note(actor=instructor, course=course, act=Act.KEEP_COMMENT, subject=kept, detail={"text": said})
    return kept


def stock_comment_drop(*, instructor: User, course: Course, comment_id: int) -> bool:
    """Take a comment out of the bank; False if it is not in this course's. Comments that were given stay."""
    with transaction.atomic():
        found = StockComment.objects.filter(course=course, pk=comment_id).first()
        if found is None:
            return False
        note(actor=instructor, course=course, act=Act.DROP_COMMENT, subject=found, detail={"text": found.text})
        found.delete()
    return True
