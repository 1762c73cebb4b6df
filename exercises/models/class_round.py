"""One item put before a class: the answers that come in from then on."""

from __future__ import annotations

from django.db import models
from django.utils import timezone

from exercises.enums import RoundStage
from exercises.models.course import Course
from exercises.models.item import Item


class ClassRound(models.Model):
    """What the projector shows of an item: how many have answered, then what, then what is right. The latest round holds."""

    course = models.ForeignKey(Course, on_delete=models.CASCADE, related_name="class_rounds")
    item = models.ForeignKey(Item, on_delete=models.PROTECT, related_name="class_rounds")
    stage = models.CharField(max_length=16, choices=RoundStage.choices, default=RoundStage.COLLECTING)
    started_at = models.DateTimeField(default=timezone.now)

    class Meta:
        ordering = ["course", "item", "-started_at"]
        constraints = [
            models.CheckConstraint(condition=models.Q(stage__in=RoundStage.values), name="class_round_stage_known"),
        ]

    def __str__(self) -> str:
        return f"{self.item} @ {self.course} ({self.stage})"
