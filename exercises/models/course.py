"""A course: one class of people taking one curriculum."""

from __future__ import annotations

from django.db import models
from django.utils import timezone

from exercises.models.curriculum import Curriculum


class Course(models.Model):
    """The class that enrollments, progress and grades belong to."""

    slug = models.SlugField(unique=True)
    title = models.JSONField()
    curriculum = models.ForeignKey(Curriculum, on_delete=models.PROTECT, related_name="courses")
    created_at = models.DateTimeField(default=timezone.now)

    class Meta:
        ordering = ["slug"]

    def __str__(self) -> str:
        return self.slug
