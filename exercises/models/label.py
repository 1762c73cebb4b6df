"""A word that an instructor puts on some members of a course: a class, a group, who resits."""

from __future__ import annotations

from django.db import models
from django.utils import timezone

from exercises.models.course import Course


class Label(models.Model):
    """One word of one course. Its members are `enrollments`, all of that same course: the services see to it."""

    course = models.ForeignKey(Course, on_delete=models.CASCADE, related_name="labels")
    name = models.CharField(max_length=40)
    created_at = models.DateTimeField(default=timezone.now)

    class Meta:
        ordering = ["course", "name"]
        constraints = [models.UniqueConstraint(fields=["course", "name"], name="label_name_once_in_course")]

    def __str__(self) -> str:
        return self.name
