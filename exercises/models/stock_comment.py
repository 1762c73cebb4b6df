"""A comment that instructors of a course use again and again."""

from __future__ import annotations

from django.db import models
from django.utils import timezone

from exercises.models.course import Course
from exercises.models.user import User


class StockComment(models.Model):
    """Belongs to the course, not to who wrote it first: all its instructors choose from one bank."""

    course = models.ForeignKey(Course, on_delete=models.CASCADE, related_name="stock_comments")
    text = models.CharField(max_length=500)
    by = models.ForeignKey(User, on_delete=models.SET_NULL, null=True, related_name="+")
    created_at = models.DateTimeField(default=timezone.now)

    class Meta:
        ordering = ["course", "created_at", "id"]
        constraints = [models.UniqueConstraint(fields=["course", "text"], name="stock_comment_once_in_course")]

    def __str__(self) -> str:
        return self.text
