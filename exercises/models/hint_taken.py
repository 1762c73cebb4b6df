"""A hint that a learner asked for."""

from __future__ import annotations

from django.db import models
from django.utils import timezone

from exercises.models.attempt import Attempt


class HintTaken(models.Model):
    """One rung of the item's ladder, counting from 1. `step` is what a derived rung speaks of: it stays as it was shown."""

    attempt = models.ForeignKey(Attempt, on_delete=models.CASCADE, related_name="hints")
    rung = models.PositiveSmallIntegerField()
    step = models.CharField(max_length=64, blank=True)
    created_at = models.DateTimeField(default=timezone.now)

    class Meta:
        verbose_name_plural = "hints taken"
        ordering = ["attempt", "rung"]
        constraints = [
            models.UniqueConstraint(fields=["attempt", "rung"], name="hint_rung_once_per_attempt"),
            models.CheckConstraint(condition=models.Q(rung__gte=1), name="hint_rung_from_1"),
        ]

    def __str__(self) -> str:
        return f"{self.attempt} hint {self.rung}"
