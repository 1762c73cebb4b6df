"""Remember that somebody has seen the news."""

from __future__ import annotations

from datetime import datetime

from django.db.models import Q

from exercises.models import User


def news_see(*, user: User, until: datetime) -> None:
    """All that happened up to then is no news any more; what came while the page was read stays news."""
    earlier = Q(news_seen_at__isnull=True) | Q(news_seen_at__lt=until)
    User.objects.filter(earlier, pk=user.pk).update(news_seen_at=until)
