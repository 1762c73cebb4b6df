"""What an instructor changes about one member of the course."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from django.db import transaction

from exercises.enums import Act, Role
from exercises.models import Enrollment, Label
from exercises.services.audit_record import note
from exercises.services.storable import storable_text

ASSIGNABLE: Final = (Role.STUDENT, Role.ASSISTANT, Role.INSTRUCTOR, Role.FORMER)
MOST_LABELS: Final = 200


class LastInstructorError(Exception):
    """A course without an instructor could not be mended by anybody in it."""


@transaction.atomic
def role_change(*, instructor: Enrollment, member: Enrollment, role: Role) -> None:
    """Give another role; FORMER shows somebody out and keeps what they did. Raises LastInstructorError."""
    # All instructors at once: two who demote each other at the same time must not both succeed.
    instructors = Enrollment.objects.select_for_update().filter(course=member.course, role=Role.INSTRUCTOR)
    held = {each.pk for each in instructors}
    if role not in ASSIGNABLE:
        raise ValueError(f"nobody is made a {role}")
    if role != Role.INSTRUCTOR and held == {member.pk}:
        raise LastInstructorError
    before = member.role
    if before == role:
        return
    member.role = role
    member.save(update_fields=["role"])
    note(
        actor=instructor.user,
        course=member.course,
        act=Act.CHANGE_ROLE,
        subject=member,
        detail={"from": before, "to": role},
    )


@transaction.atomic
def labels_set(*, instructor: Enrollment, member: Enrollment, names: Iterable[str]) -> None:
    """Put these labels on a member and no others.

    A label that nobody carries any more stays, and with it the more time that was given to it.
    """
    wanted = {storable_text(name).strip()[:40] for name in names}
    kept = sorted(name for name in wanted if name)[:MOST_LABELS]
    before = sorted(member.labels.values_list("name", flat=True))
    if before == kept:
        return
    Label.objects.bulk_create((Label(course=member.course, name=name) for name in kept), ignore_conflicts=True)
    member.labels.set(Label.objects.filter(course=member.course, name__in=kept))
    note(
        actor=instructor.user,
        course=member.course,
        act=Act.CHANGE_LABELS,
        subject=member,
        detail={"from": before, "to": kept},
    )
