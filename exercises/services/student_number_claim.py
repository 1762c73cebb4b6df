"""Give an account that a list made to the person whom the campus's sign-on vouches for."""

from __future__ import annotations

from django.contrib.auth.hashers import UNUSABLE_PASSWORD_PREFIX
from django.db import transaction

from exercises.enums import STAFF
from exercises.models import Activation, Enrollment, User


@transaction.atomic
def student_number_claim(*, number: str) -> User | None:
    """The account of this student number that nobody has opened yet; its activation code ends. None if there is none.

    Only where the operator said that the campus's ids are student numbers. An account that somebody has opened, or that
    has rights, is never given away.
    """
    waiting = User.objects.filter(
        username__iexact=number,
        origin__isnull=False,
        is_active=True,
        is_staff=False,
        is_superuser=False,
        password__startswith=UNUSABLE_PASSWORD_PREFIX,
        activation__isnull=False,
    )
    user = waiting.exclude(pk__in=Enrollment.objects.filter(role__in=STAFF).values("user")).first()
    if user is not None:
        Activation.objects.filter(user=user).delete()
    return user
