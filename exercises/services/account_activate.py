"""Somebody with a slip of paper makes the account on it their own."""

from __future__ import annotations

from django.db import transaction

from exercises.models import Activation, User
from exercises.queries.invitations import canonical_code
from exercises.services.consent_give import consent_give


def activation_for(*, username: str, code: str) -> Activation | None:
    """The activation that this name and this code open; None for a wrong name as for a wrong code."""
    waiting = Activation.objects.select_related("user").filter(
        user__username__iexact=username.strip(), user__is_active=True
    )
    activation = waiting.first()
    if activation is None:
        # As much work as for a name that exists, so that the time taken says nothing.
        Activation.digest_of(User(pk=0), canonical_code(code))
        return None
    return activation if activation.opens_with(canonical_code(code)) else None


@transaction.atomic
def account_activate(*, activation: Activation, password: str) -> User | None:
    """Set the password, note the consent, use the code up; None if the code was used or replaced meanwhile."""
    if not Activation.objects.filter(pk=activation.pk, digest=activation.digest).delete()[0]:
        return None
    user = activation.user
    user.set_password(password)
    user.save(update_fields=["password"])
    consent_give(user=user)
    return user
