"""Somebody joins a course of their own accord, as a student and as nothing else."""

from __future__ import annotations

from django.db import transaction

from exercises.enums import Role
from exercises.models import Enrollment, User
from exercises.queries.invitations import Invitation
from exercises.services.course_code import course_code_use
from exercises.services.learner_lock import lock_learner


class InvitationEndedError(Exception):
    """The code expired, was used up or was revoked between the page and the button."""


@transaction.atomic
def enrollment_join(*, user: User, invitation: Invitation) -> Enrollment:
    """The user's membership, made now or before; a guest becomes a student.

    A former member comes back by a code, never through an open door alone: an instructor has shown them out of it.
    Whoever is in the course already spends no use of a code. Raises InvitationEndedError.
    """
    lock_learner(user_id=user.pk)
    enrollment = Enrollment.objects.filter(user=user, course=invitation.course).first()
    if enrollment is not None and enrollment.role not in {Role.GUEST, Role.FORMER}:
        return enrollment
    if invitation.code is None:
        if enrollment is not None and enrollment.role == Role.FORMER:
            raise InvitationEndedError
    elif not course_code_use(code=invitation.code):
        raise InvitationEndedError
    if enrollment is None:
        return Enrollment.objects.create(user=user, course=invitation.course, role=Role.STUDENT)
    enrollment.role = Role.STUDENT
    enrollment.save(update_fields=["role"])
    return enrollment
