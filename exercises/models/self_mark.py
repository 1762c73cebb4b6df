"""How a learner reads an answer of their own against the rubric."""

from __future__ import annotations

from django.db import models
from django.utils import timezone

from exercises.models.submission import Submission


class SelfMark(models.Model):
    """The criteria that the learner finds met, by their keys. It earns nothing; the instructor sees it and decides."""

    submission = models.OneToOneField(Submission, on_delete=models.CASCADE, related_name="self_mark")
    criteria = models.JSONField(default=list)
    created_at = models.DateTimeField(default=timezone.now)

    class Meta:
        ordering = ["submission"]

    def __str__(self) -> str:
        return f"{self.submission}: {', '.join(self.criteria) or 'none'}"
