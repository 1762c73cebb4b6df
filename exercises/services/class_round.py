"""Put an item before a class, and show more of what came in."""

from __future__ import annotations

from django.db import transaction

from exercises.enums import Act, RoundStage
from exercises.models import ClassRound, Course, Item, User
from exercises.services.audit_record import note


def round_begin(*, instructor: User, course: Course, item: Item) -> ClassRound:
    """Begin to count: what was answered before is no part of it."""
    with transaction.atomic():
        begun = ClassRound.objects.create(course=course, item=item)
        note(actor=instructor, course=course, act=Act.CLASS_ROUND, subject=item, detail={"round": begun.pk})
    return begun


def round_show(*, instructor: User, found: ClassRound, stage: RoundStage) -> None:
    """Show as much of the round as the stage says, more or less than before."""
    with transaction.atomic():
        if ClassRound.objects.filter(pk=found.pk).exclude(stage=stage).update(stage=stage):
            detail = {"round": found.pk, "stage": stage}
            note(actor=instructor, course=found.course, act=Act.CLASS_STAGE, subject=found.item, detail=detail)
