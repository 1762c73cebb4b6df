"""Tell people that something new waits for them. Used inside the transactions of other services."""

from __future__ import annotations

from datetime import datetime

from django.db.models import Q
from django.utils import timezone

from exercises.models import User


def news_tell(who: Q, *, at: datetime | None = None) -> None:
    """What it is, `exercises.queries.news` reads from where it happened; here stands only that there is something.

    It happened `at`, or now.
    """
    at = at or timezone.now()
    earlier = Q(news_at__isnull=True) | Q(news_at__lt=at)
    User.objects.filter(earlier, who, is_active=True).update(news_at=at)
