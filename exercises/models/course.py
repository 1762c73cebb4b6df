"""A course: one class of people taking one curriculum."""

from __future__ import annotations

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
