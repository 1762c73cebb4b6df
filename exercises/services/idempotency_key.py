"""See to it that a request which is sent twice is carried out once."""

from __future__ import annotations

from datetime import timedelta
from uuid import UUID

from django.db import transaction
from django.utils import timezone

from exercises.models import ApiToken, IdempotencyKey

KEPT = timedelta(days=1)
# Far longer than a request takes: its process was killed, and what it was to do may be done anew.
ABANDONED = timedelta(minutes=1)


class KeyReused(Exception):  # noqa: N818 -- a fact about the key, for the caller to tell
    """The key named another request before."""


class KeyBusy(Exception):  # noqa: N818
    """The request with this key is still being carried out."""


def idempotency_key_take(*, token: ApiToken, key: str, fingerprint: str) -> UUID | None:
    """None when the caller is the first and must carry the request out; otherwise the id of what the first one made.

    Raises KeyReused or KeyBusy.
    """
    now = timezone.now()
    with transaction.atomic():
        IdempotencyKey.objects.filter(token=token, taken_at__lt=now - KEPT).delete()
        row, is_first = IdempotencyKey.objects.get_or_create(
            token=token, key=key, defaults={"fingerprint": fingerprint, "taken_at": now}
        )
    if is_first:
        return None
    if row.fingerprint != fingerprint:
        raise KeyReused
    if row.made is None and not _take_over(row):
        raise KeyBusy
    return row.made


def idempotency_key_settle(*, token: ApiToken, key: str, made: UUID) -> None:
    """Remember what the request made."""
    IdempotencyKey.objects.filter(token=token, key=key).update(made=made)


def idempotency_key_release(*, token: ApiToken, key: str) -> None:
    """Forget the key of a request that made nothing, so that it may be sent again."""
    IdempotencyKey.objects.filter(token=token, key=key, made=None).delete()


def _take_over(row: IdempotencyKey) -> bool:
    now = timezone.now()
    abandoned = IdempotencyKey.objects.filter(pk=row.pk, made=None, taken_at=row.taken_at)
    return bool(abandoned.filter(taken_at__lt=now - ABANDONED).update(taken_at=now))
