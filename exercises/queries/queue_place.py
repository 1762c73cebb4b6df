"""How many programs are before one that waits."""

from __future__ import annotations

from datetime import datetime, timedelta

from django.utils import timezone

from exercises.enums import GradingProgress
from exercises.models import Run, Submission

# No worker begins a run that has waited this long.
RUN_LIFE = timedelta(minutes=2)


def programs_before(sent_at: datetime) -> int:
    """How many submissions and runs were sent earlier and are not done, those that a worker holds among them."""
    submissions = Submission.objects.filter(grading_progress=GradingProgress.PENDING, sent_at__lt=sent_at)
    runs = Run.objects.filter(settled_at=None, created_at__lt=sent_at, created_at__gt=timezone.now() - RUN_LIFE)
    return submissions.order_by().values("id").union(runs.order_by().values("id"), all=True).count()
