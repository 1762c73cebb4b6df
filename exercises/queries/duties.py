"""What somebody still owes before they go on: consent to the privacy notice, a second factor."""

from __future__ import annotations

from typing import Final

from allauth.mfa.models import Authenticator
from django.db.models import Q

from exercises.enums import STAFF
from exercises.models import Consent, Enrollment, User

# Raised whenever the notice says something new: everybody is then asked again at the next sign-in.
PRIVACY_VERSION: Final = "2026-11-30"
CONSENT: Final = "consent"
SECOND_FACTOR: Final = "second_factor"


def duties_of(user: User, *, is_second_factor_required: bool) -> list[str]:
    """In the order in which they are asked for; nothing is asked of guests and of the accounts of a demonstration."""
    if user.is_guest or user.is_demo:
        return []
    owed = [] if has_consented(user) else [CONSENT]
    if is_second_factor_required and _is_staff(user) and not _has_second_factor(user):
        owed.append(SECOND_FACTOR)
    return owed


def has_consented(user: User) -> bool:
    """Whether somebody agreed to the notice as it stands."""
    return Consent.objects.filter(user=user, version=PRIVACY_VERSION).exists()


def _is_staff(user: User) -> bool:
    return user.is_staff or Enrollment.objects.filter(user=user, role__in=STAFF).exists()


def _has_second_factor(user: User) -> bool:
    factors = Q(type=Authenticator.Type.TOTP) | Q(type=Authenticator.Type.WEBAUTHN)
    return bool(Authenticator.objects.filter(factors, user=user).exists())
