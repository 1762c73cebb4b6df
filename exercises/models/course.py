"""A course: one class of people taking one curriculum."""

from __future__ import annotations

from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from django.conf import settings
from django.db import models
from django.utils import timezone

from exercises.models.curriculum import Curriculum


class Course(models.Model):
    """The class that enrollments, progress and grades belong to."""

    slug = models.SlugField(unique=True)
    title = models.JSONField()
    time_zone = models.CharField(max_length=64, blank=True, help_text="Empty: that of the site.")
    is_open = models.BooleanField(default=False, help_text="Anybody may read and practise here as a guest.")
    curriculum = models.ForeignKey(Curriculum, on_delete=models.PROTECT, related_name="courses")
    created_at = models.DateTimeField(default=timezone.now)
    archived_at = models.DateTimeField(null=True, blank=True, help_text="Since then it can only be read.")

    class Meta:
        ordering = ["slug"]

    def __str__(self) -> str:
        return self.slug

    @property
    def zone(self) -> ZoneInfo:
        """The time zone; that of the site where none was set, or where this machine knows the set one no more."""
        try:
            return ZoneInfo(self.time_zone or settings.TIME_ZONE)
        except (ZoneInfoNotFoundError, ValueError):
            return ZoneInfo(settings.TIME_ZONE)
