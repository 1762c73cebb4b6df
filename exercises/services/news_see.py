"""Remember that somebody has seen the news."""

from __future__ import annotations

from datetime import datetime

from django.db.models import Q

from exercises.models import User
from exercises.services.released_tell import released_tell


def news_see(*, user: User, until: datetime) -> None:
    """All that happened up to then is no news any more; what came while the page was read stays news."""
    # What a date has just released stood on the page already: told later, it would be news a second time.
    released_tell(enrollments=user.enrollments.all())
    earlier = Q(news_seen_at__isnull=True) | Q(news_seen_at__lt=until)
    User.objects.filter(earlier, pk=user.pk).update(news_seen_at=until)
