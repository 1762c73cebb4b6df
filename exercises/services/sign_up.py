"""Make an account for somebody who was invited, or make a guest's account their own."""

from __future__ import annotations

from dataclasses import dataclass

from django.db import IntegrityError, transaction

from exercises.enums import Role
from exercises.models import Enrollment, User
from exercises.queries.invitations import Invitation
from exercises.services.consent_give import consent_give
from exercises.services.enrollment_join import enrollment_join
from exercises.services.storable import storable_text


class NameTakenError(Exception):
    """Somebody else got the user name between the page and the button."""


@dataclass(frozen=True, slots=True)
class Newcomer:
    """What somebody said of themselves; the password was checked already."""

    username: str
    display_name: str
    password: str


def sign_up(*, newcomer: Newcomer, invitation: Invitation, guest: User | None = None) -> User:
    """The account, a student of the course, with consent noted. A guest's account stays the same row.

    So everything that a guest has done is theirs without being moved; in the other courses that the guest has
    looked at and that are still open they become a student as well. Raises NameTakenError and InvitationEndedError.
    """
    user = guest or User()
    user.username = newcomer.username
    user.display_name = storable_text(newcomer.display_name)
    user.is_guest = False
    user.origin = invitation.course
    user.set_password(newcomer.password)
    try:
        with transaction.atomic():
            user.save()
            enrollment_join(user=user, invitation=invitation)
            Enrollment.objects.filter(user=user, role=Role.GUEST, course__is_open=True).update(role=Role.STUDENT)
            consent_give(user=user)
    except IntegrityError as error:
        raise NameTakenError from error
    return user
