"""Hand out activation codes: to people on a list who have no account yet, and to those who cannot get in any more."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import timedelta
from typing import Final

from allauth.mfa.models import Authenticator
from django.contrib.auth.hashers import UNUSABLE_PASSWORD_PREFIX
from django.db import transaction
from django.db.models import Q, QuerySet
from django.utils import timezone

from exercises.enums import STAFF, Act
from exercises.models import Activation, ApiToken, Enrollment, User
from exercises.services.audit_record import note
from exercises.services.spoken_code import spoken_code

# 31 to the power of 12 is 60 bits, for codes that open an account.
CODE_LENGTH: Final = 12
CODE_KEPT: Final = timedelta(days=60)


class ResetRefusedError(Exception):
    """The account is not this course's to reset."""


@dataclass(frozen=True, slots=True)
class IssuedCode:
    """A code with the account it opens. It is nowhere else: shown once, on the page that answers."""

    user: User
    code: str


def resettable(*, instructor: Enrollment) -> QuerySet[Enrollment]:
    """The members whose accounts this course made and whose instructors may therefore open them anew.

    Never somebody with rights: an instructor of one course could otherwise become an instructor of another. A list may
    name anybody, so that somebody stands on it gives no right over an account that was there before.
    """
    staff = Enrollment.objects.filter(role__in=STAFF).values("user")
    made_here = Q(user__origin=instructor.course, user__is_staff=False, user__is_superuser=False, user__is_active=True)
    return Enrollment.objects.filter(made_here, course=instructor.course).exclude(user__in=staff)


@transaction.atomic
def activation_reset(*, instructor: Enrollment, member: Enrollment) -> IssuedCode:
    """Close an account and hand out the code that opens it anew: password, second factors and keys of scripts are gone.

    Raises ResetRefusedError.
    """
    found = resettable(instructor=instructor).select_related("user").filter(pk=member.pk).first()
    if found is None:
        raise ResetRefusedError
    Authenticator.objects.filter(user=found.user).delete()
    ApiToken.objects.filter(user=found.user, revoked_at=None).update(revoked_at=timezone.now())
    # Sessions hold a digest of the password, so this ends all of them.
    found.user.set_unusable_password()
    found.user.save(update_fields=["password"])
    note(actor=instructor.user, course=instructor.course, act=Act.ISSUE_ACTIVATION, subject=found)
    return issue_codes(users=[found.user], issued_by=instructor.user)[0]


@transaction.atomic
def activations_renew(*, instructor: Enrollment) -> list[IssuedCode]:
    """New codes for everybody on the list who has not been here yet: the sheet to print again. Older slips are void."""
    waiting = resettable(instructor=instructor).filter(user__password__startswith=UNUSABLE_PASSWORD_PREFIX)
    users = [each.user for each in waiting.select_related("user").order_by("user__username")]
    if users:
        count = {"count": len(users)}
        note(
            actor=instructor.user,
            course=instructor.course,
            act=Act.ISSUE_ACTIVATION,
            subject=instructor.course,
            detail=count,
        )
    return issue_codes(users=users, issued_by=instructor.user)


def issue_codes(*, users: list[User], issued_by: User) -> list[IssuedCode]:
    """One new code for each account, in three queries; runs in the transaction of whoever asks."""
    issued = [IssuedCode(user, spoken_code(CODE_LENGTH)) for user in users]
    now = timezone.now()
    Activation.objects.filter(user__in=users).delete()
    Activation.objects.bulk_create(
        Activation(
            user=each.user,
            digest=Activation.digest_of(each.user, each.code),
            issued_by=issued_by,
            issued_at=now,
            expires_at=now + CODE_KEPT,
        )
        for each in issued
    )
    return issued
