"""Delete an account: the person is gone, what the statistics of exercises stand on stays without a name."""

from __future__ import annotations

import secrets

from allauth.account.models import EmailAddress
from allauth.mfa.models import Authenticator
from allauth.socialaccount.models import SocialAccount
from allauth.usersessions.models import UserSession
from django.db import transaction

from exercises.enums import Role
from exercises.models import (
    Activation,
    ApiToken,
    Consent,
    Draft,
    Enrollment,
    Mark,
    Run,
    SecondLook,
    SelfMark,
    Submission,
    User,
)


class StillNeededError(Exception):
    """The only instructor of a course must first hand it over."""


@transaction.atomic
def account_delete(*, user: User) -> None:
    """Erase who somebody is and every word they wrote; keep verdicts and points under a name that leads nowhere.

    A guest, and whoever has no attempts, is deleted outright. Raises StillNeededError.
    """
    taught = Enrollment.objects.select_for_update().filter(user=user, role=Role.INSTRUCTOR)
    for mine in taught:
        others = Enrollment.objects.filter(course=mine.course, role=Role.INSTRUCTOR).exclude(pk=mine.pk)
        if not others.exists():
            raise StillNeededError
    _erase_words(user)
    _erase_access(user)
    if user.is_guest or not Submission.objects.filter(attempt__enrollment__user=user).exists():
        user.delete()
        return
    _erase_person(user)


def _erase_words(user: User) -> None:
    """Answers are replaced, not deleted: their marks hang on them."""
    mine = Submission.objects.filter(attempt__enrollment__user=user)
    SecondLook.objects.filter(mark__submission__in=mine).delete()
    SelfMark.objects.filter(submission__in=mine).delete()
    Run.objects.filter(attempt__enrollment__user=user).delete()
    Draft.objects.filter(attempt__enrollment__user=user).delete()
    Mark.objects.filter(submission__in=mine).update(feedback={}, comment="")
    for pk in mine.values_list("pk", flat=True):
        # The digest says two answers of one attempt apart; a random one says nothing about the answer.
        Submission.objects.filter(pk=pk).update(raw_response={}, response_digest=secrets.token_hex(32))


def _erase_access(user: User) -> None:
    for model in (EmailAddress, Authenticator, SocialAccount, UserSession, Activation, ApiToken, Consent):
        model.objects.filter(user=user).delete()


def _erase_person(user: User) -> None:
    Enrollment.objects.filter(user=user).update(role=Role.FORMER)
    for enrollment in Enrollment.objects.filter(user=user):
        enrollment.labels.clear()
    blank = User(username=f"deleted-{secrets.token_hex(12)}", is_active=False)
    blank.set_unusable_password()
    kept = {"id", "date_joined"}
    for field in User._meta.concrete_fields:  # noqa: SLF001 -- Django's documented name
        if field.name not in kept:
            setattr(user, field.attname, getattr(blank, field.attname))
    user.save()
