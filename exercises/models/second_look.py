"""A learner's request that the instructor look once more."""

from __future__ import annotations

from django.db import models
from django.utils import timezone

from exercises.models.mark import Mark


class SecondLook(models.Model):
    """It is about one mark, and answered as soon as another mark stands in its place."""

    mark = models.OneToOneField(Mark, on_delete=models.CASCADE, related_name="second_look")
    reason = models.TextField()
    created_at = models.DateTimeField(default=timezone.now)

    class Meta:
        ordering = ["created_at"]

    def __str__(self) -> str:
        return f"{self.mark} ({self.created_at:%Y-%m-%d})"
