"""A POST that makes something makes it once, however often it arrives with the same Idempotency-Key."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from uuid import UUID

from rest_framework.request import Request

from exercises.api import words
from exercises.api.base import token_of
from exercises.api.headers import fingerprint, idempotency_key
from exercises.api.problems import refuse
from exercises.services.idempotency_key import (
    KeyBusy,
    KeyReused,
    idempotency_key_release,
    idempotency_key_settle,
    idempotency_key_take,
)


@dataclass(frozen=True, slots=True)
class Made:
    """What a request made, or what it repeats."""

    id: UUID
    is_new: bool


def make_once(request: Request, make: Callable[[], Made]) -> Made:
    """Carry the request out, unless one with the same key was carried out before. Raises Refusal."""
    key = idempotency_key(request)
    if key is None:
        return make()
    token = token_of(request)
    try:
        before = idempotency_key_take(token=token, key=key, fingerprint=fingerprint(request))
    except KeyReused:
        raise refuse(422, "idempotency_key_reused", words.KEY_TAKEN) from None
    except KeyBusy:
        raise refuse(409, "idempotency_key_busy", words.KEY_BUSY, Retry_After="1") from None
    if before is not None:
        return Made(before, is_new=False)
    try:
        made = make()
        idempotency_key_settle(token=token, key=key, made=made.id)
    finally:
        # Does nothing once the key is settled.
        idempotency_key_release(token=token, key=key)
    return made
