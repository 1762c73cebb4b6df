"""What an instructor keeps in mind about a student."""

from __future__ import annotations

from django.db import models
from django.utils import timezone

from exercises.models.enrollment import Enrollment
from exercises.models.user import User


class StudentNote(models.Model):
    """Read by those who teach the course, never by the student; a note is added, not changed."""

    enrollment = models.ForeignKey(Enrollment, on_delete=models.CASCADE, related_name="notes")
    author = models.ForeignKey(User, on_delete=models.SET_NULL, null=True, related_name="+")
    text = models.TextField()
    created_at = models.DateTimeField(default=timezone.now)

    class Meta:
        ordering = ["enrollment", "-created_at"]

    def __str__(self) -> str:
        return f"{self.enrollment} ({self.created_at:%Y-%m-%d})"
