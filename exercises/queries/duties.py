"""What somebody still owes before they go on: consent to the privacy notice, a second factor."""

from __future__ import annotations

from typing import Final

from allauth.mfa.models import Authenticator
from django.db.models import Exists, OuterRef, Q

from exercises.enums import STAFF
from exercises.models import Consent, Enrollment, User

# Raised whenever the notice says something new: everybody is then asked again at the next sign-in.
PRIVACY_VERSION: Final = "2026-11-30"
CONSENT: Final = "consent"
SECOND_FACTOR: Final = "second_factor"
_FACTORS: Final = Q(type=Authenticator.Type.TOTP) | Q(type=Authenticator.Type.WEBAUTHN)


def duties_of(user: User, *, is_second_factor_required: bool) -> list[str]:
    """In the order in which they are asked for; nothing is asked of guests and of the accounts of a demonstration."""
    if user.is_guest or user.is_demo:
        return []
    owed = [] if has_consented(user) else [CONSENT]
    if is_second_factor_required and owes_second_factor(user):
        owed.append(SECOND_FACTOR)
    return owed


def owes_second_factor(user: User) -> bool:
    """Whether somebody is staff, of the site or of a course, and has no second factor. One query."""
    if user.is_guest or user.is_demo:
        return False
    teaches = Exists(Enrollment.objects.filter(user=OuterRef("pk"), role__in=STAFF))
    has_one = Exists(Authenticator.objects.filter(_FACTORS, user=OuterRef("pk")))
    return User.objects.filter(Q(is_staff=True) | teaches, ~has_one, pk=user.pk).exists()


def has_consented(user: User) -> bool:
    """Whether somebody agreed to the notice as it stands."""
    return Consent.objects.filter(user=user, version=PRIVACY_VERSION).exists()
