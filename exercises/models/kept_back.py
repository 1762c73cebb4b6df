"""A mark that was given while marks were kept back: its learner is told when they are released."""

from __future__ import annotations

from django.db import models
from django.db.models import Q

from exercises.models.mark import Mark


class KeptBack(models.Model):
    """It waits until `told_at`, the moment as of which the mark is news. Marks without such a row were news at once."""

    mark = models.OneToOneField(Mark, on_delete=models.CASCADE, related_name="kept_back")
    told_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ["mark"]
        verbose_name_plural = "kept back"
        indexes = [models.Index(fields=["mark"], condition=Q(told_at=None), name="kept_back_waiting")]

    def __str__(self) -> str:
        return str(self.mark)
