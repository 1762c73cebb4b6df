"""Keep dear figures from growing old while nobody looks, so that who looks next neither waits nor sees last week."""

from __future__ import annotations

from datetime import timedelta
from typing import Final

from django.utils import timezone

from exercises.models import Course, Snapshot, Submission
from exercises.services.snapshot_refresh import CHEAP_MS, Figures, made_alone

OLD: Final = timedelta(hours=1)
# Of every processor second, at most a hundredth goes into one set of figures that nobody asked for.
REST: Final = 100


def snapshot_warm() -> Snapshot | None:
    """Work out one set of figures: one that an open course has none of yet, or else the dear one that is oldest."""
    wanted = _missing() or _oldest()
    return made_alone(course=wanted[0], name=wanted[1]) if wanted else None


def _missing() -> tuple[Course, Figures] | None:
    for course in Course.objects.filter(archived_at=None).select_related("curriculum").order_by("pk"):
        missing = set(Figures) - set(Snapshot.objects.filter(course=course).values_list("name", flat=True))
        if missing and Submission.objects.filter(attempt__enrollment__course=course).exists():
            return course, min(missing)
    return None


def _oldest() -> tuple[Course, Figures] | None:
    now = timezone.now()
    dear = Snapshot.objects.filter(course__archived_at=None, cost_ms__gt=CHEAP_MS, made_at__lt=now - OLD)
    for kept in dear.defer("figures").select_related("course__curriculum").order_by("made_at"):
        if now - kept.made_at > REST * timedelta(milliseconds=kept.cost_ms) and kept.name in set(Figures):
            return kept.course, Figures(kept.name)
    return None
