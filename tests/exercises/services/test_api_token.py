from __future__ import annotations

from datetime import timedelta

from django.utils import timezone

from exercises.access import token_by_secret
from exercises.enums import ApiScope
from exercises.models import ApiToken
from exercises.services.api_token import api_token_create, api_token_note_use, api_token_revoke
from tests.factories import ApiTokenFactory


def test_the_secret_opens_the_token_and_is_not_stored(ines, course):
    made = api_token_create(
        user=ines, name="gradebook", scopes=[ApiScope.READ_GRADES], lifetime=timedelta(days=30), course=course
    )
    stored = ApiToken.objects.get()
    assert token_by_secret(made.secret) == stored == made.token
    assert made.secret.startswith(stored.prefix)
    assert len(made.secret) >= 4 + 43
    assert made.secret not in [str(value) for value in ApiToken.objects.values().get().values()]
    assert (stored.allows(ApiScope.READ_GRADES), stored.allows(ApiScope.SUBMIT)) == (True, False)


def test_two_tokens_differ(ines):
    secrets = {api_token_create(user=ines, name="x", scopes=[], lifetime=timedelta(days=1)).secret for _ in range(2)}
    assert len(secrets) == 2


def test_a_revoked_token_opens_nothing_and_is_revoked_once(ines):
    made = api_token_create(user=ines, name="x", scopes=[], lifetime=timedelta(days=1))
    assert [api_token_revoke(token=made.token) for _ in range(2)] == [True, False]
    assert token_by_secret(made.secret) is None


def test_use_is_noted_once_a_minute(ines):
    token = ApiTokenFactory(user=ines)
    api_token_note_use(token=token)
    token.refresh_from_db()
    first = token.last_used_at
    api_token_note_use(token=token)
    token.refresh_from_db()
    assert token.last_used_at == first
    ApiToken.objects.update(last_used_at=timezone.now() - timedelta(minutes=2))
    api_token_note_use(token=token)
    token.refresh_from_db()
    assert token.last_used_at >= first
