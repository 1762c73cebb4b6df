"""One student's go at one version of an item, with its own numbers."""

from __future__ import annotations

import uuid

from django.db import models
from django.utils import timezone

from exercises.models.enrollment import Enrollment
from exercises.models.item import Item, ItemVersion
from exercises.models.ordered_json import OrderedJSONField


class Attempt(models.Model):
    """Version, seed and variant are fixed for ever, so that any mark can be replayed.

    `guess` is the first one that was kept, "" before; it holds for the whole attempt.
    `shown_at` is when the learner asked to be shown the solution: what is sent after that is no try.
    """

    public_id = models.UUIDField(default=uuid.uuid4, unique=True, editable=False)
    enrollment = models.ForeignKey(Enrollment, on_delete=models.CASCADE, related_name="attempts")
    item = models.ForeignKey(Item, on_delete=models.PROTECT, related_name="attempts")
    item_version = models.ForeignKey(ItemVersion, on_delete=models.PROTECT, related_name="attempts")
    number = models.PositiveIntegerField()
    seed = models.BigIntegerField()
    variant = OrderedJSONField()
    guess = models.CharField(max_length=64, blank=True, default="")
    created_at = models.DateTimeField(default=timezone.now)
    shown_at = models.DateTimeField(null=True)

    class Meta:
        ordering = ["enrollment", "item", "number"]
        constraints = [
            models.UniqueConstraint(fields=["enrollment", "item", "number"], name="attempt_number_of_item"),
        ]

    def __str__(self) -> str:
        return f"{self.item} #{self.number} ({self.enrollment})"
