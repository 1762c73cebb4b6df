"""Visitors of an open course: an account without a name, so that what they do is kept while they look around."""

from __future__ import annotations

import secrets
from datetime import timedelta
from typing import Final

from django.db import transaction
from django.db.models import Q
from django.utils import timezone

from exercises.enums import Role
from exercises.models import Course, Enrollment, User

# A guest who has not been here for so long is forgotten with all they did.
GUEST_KEPT: Final = timedelta(days=30)
FORGET_AT_ONCE: Final = 200


@transaction.atomic
def guest_start(*, course: Course, guest: User | None = None) -> User:
    """A guest in the course: a new one, or one who has been looking at another open course."""
    user = guest or _new_guest()
    Enrollment.objects.get_or_create(user=user, course=course, defaults={"role": Role.GUEST})
    return user


def guests_forget() -> int:
    """Delete guests who have not come back, a handful at a time; says how many."""
    long_ago = timezone.now() - GUEST_KEPT
    stale = User.objects.filter(
        Q(last_login__lt=long_ago) | Q(last_login=None, date_joined__lt=long_ago), is_guest=True
    )
    chosen = list(stale.values_list("pk", flat=True)[:FORGET_AT_ONCE])
    User.objects.filter(pk__in=chosen, is_guest=True).delete()
    return len(chosen)


def _new_guest() -> User:
    user = User(username=f"guest-{secrets.token_hex(12)}", is_guest=True)
    user.set_unusable_password()
    user.save()
    return user
