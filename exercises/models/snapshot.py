"""Figures of a whole course, worked out at one moment."""

from __future__ import annotations

from django.db import models

from exercises.models.course import Course


class Snapshot(models.Model):
    """One set of figures by its name, with the moment that it tells of and what it cost to work out.

    `made_at` is taken before the figures are read, so what was sent later may or may not be in them, never what was
    sent earlier and is not.
    """

    course = models.ForeignKey(Course, on_delete=models.CASCADE, related_name="snapshots")
    name = models.SlugField()
    figures = models.JSONField()
    made_at = models.DateTimeField()
    cost_ms = models.PositiveIntegerField()

    class Meta:
        ordering = ["course", "name"]
        constraints = [models.UniqueConstraint(fields=["course", "name"], name="snapshot_once_by_name")]

    def __str__(self) -> str:
        return f"{self.course} {self.name} ({self.made_at:%Y-%m-%d %H:%M})"
