"""Tell people that something new waits for them. Used inside the transactions of other services."""

from __future__ import annotations

from django.db.models import Q
from django.utils import timezone

from exercises.models import User


def news_tell(who: Q) -> None:
    """What it is, `exercises.queries.news` reads from where it happened; here stands only that there is something."""
    User.objects.filter(who, is_active=True).update(news_at=timezone.now())
