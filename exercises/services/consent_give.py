"""Write down that somebody agreed to the privacy notice."""

from __future__ import annotations

from exercises.models import Consent, User
from exercises.queries.duties import PRIVACY_VERSION


def consent_give(*, user: User) -> Consent:
    """The consent to the notice as it stands; the first time counts."""
    return Consent.objects.get_or_create(user=user, version=PRIVACY_VERSION)[0]
