"""Keys for scripts and learning platforms: made, used, revoked."""

from __future__ import annotations

import secrets
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import timedelta

from django.db.models import Q
from django.utils import timezone

from exercises.enums import ApiScope
from exercises.models import ApiToken, Course, User

TOKEN_BYTES = 32
# Lets secret scanners and people see what the string is.
TOKEN_BEGINNING = "qkv_"  # noqa: S105 -- the public beginning of every token
PREFIX_CHARACTERS = len(TOKEN_BEGINNING) + 6
USE_NOTED_EVERY = timedelta(minutes=1)


@dataclass(frozen=True, slots=True)
class NewToken:
    """A token with its secret, which is nowhere else and cannot be shown again."""

    token: ApiToken
    secret: str


def api_token_create(
    *, user: User, name: str, scopes: Iterable[ApiScope], lifetime: timedelta, course: Course | None = None
) -> NewToken:
    """Make a token for the user, for one course or for all of the user's courses."""
    secret = TOKEN_BEGINNING + secrets.token_urlsafe(TOKEN_BYTES)
    token = ApiToken.objects.create(
        user=user,
        name=name,
        prefix=secret[:PREFIX_CHARACTERS],
        digest=ApiToken.digest_of(secret),
        scopes=sorted(scopes),
        course=course,
        expires_at=timezone.now() + lifetime,
    )
    return NewToken(token, secret)


def api_token_revoke(*, token: ApiToken) -> bool:
    """End the token now; False if that was done before."""
    return bool(ApiToken.objects.filter(pk=token.pk, revoked_at=None).update(revoked_at=timezone.now()))


def api_token_note_use(*, token: ApiToken) -> None:
    """Remember the last use to the minute: a script that asks often must not write often."""
    now = timezone.now()
    stale = Q(last_used_at=None) | Q(last_used_at__lt=now - USE_NOTED_EVERY)
    ApiToken.objects.filter(stale, pk=token.pk).update(last_used_at=now)
