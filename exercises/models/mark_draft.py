"""What an instructor has written about an answer and not yet given."""

from __future__ import annotations

from django.db import models
from django.utils import timezone

from exercises.models.submission import Submission
from exercises.models.user import User


class MarkDraft(models.Model):
    """Read by its writer alone; that it exists tells a colleague that somebody is at this answer."""

    submission = models.ForeignKey(Submission, on_delete=models.CASCADE, related_name="mark_drafts")
    instructor = models.ForeignKey(User, on_delete=models.CASCADE, related_name="mark_drafts")
    criteria = models.JSONField(default=list)
    misconceptions = models.JSONField(default=list)
    comment = models.TextField(blank=True)
    saved_at = models.DateTimeField(default=timezone.now)

    class Meta:
        ordering = ["instructor", "submission"]
        constraints = [
            models.UniqueConstraint(fields=["submission", "instructor"], name="mark_draft_once_each"),
        ]

    def __str__(self) -> str:
        return f"{self.submission} by {self.instructor}"
