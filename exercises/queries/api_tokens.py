"""Tokens as the person who runs the site sees them: never the secret, which is nowhere."""

from __future__ import annotations

from django.db.models import QuerySet

from exercises.models import ApiToken


def api_tokens(*, username: str = "") -> QuerySet[ApiToken]:
    """All tokens, or those of one user, with user and course."""
    tokens = ApiToken.objects.select_related("user", "course").order_by("user__username", "created_at")
    return tokens.filter(user__username=username) if username else tokens


def api_tokens_with_prefix(prefix: str) -> list[ApiToken]:
    """The tokens that begin so: one, but for an accident in 36 random bits."""
    return list(ApiToken.objects.filter(prefix=prefix))
