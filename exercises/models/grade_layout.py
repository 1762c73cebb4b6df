"""Columns of a score sheet, as a registry or another site wants them."""

from __future__ import annotations

from django.db import models
from django.utils import timezone

from exercises.models.course import Course


class GradeLayout(models.Model):
    """`columns` is a list of pairs: the heading that the sheet has, and what stands under it (see `queries.grade_sheet`)."""

    course = models.ForeignKey(Course, on_delete=models.CASCADE, related_name="grade_layouts")
    name = models.CharField(max_length=60)
    columns = models.JSONField()
    created_at = models.DateTimeField(default=timezone.now)

    class Meta:
        ordering = ["course", "name"]
        constraints = [models.UniqueConstraint(fields=["course", "name"], name="grade_layout_name_in_course")]

    def __str__(self) -> str:
        return self.name
