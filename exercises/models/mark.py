"""The result of marking one submission, and the misconceptions it named."""

from __future__ import annotations

from decimal import Decimal

from django.db import models
from django.utils import timezone

from exercises.enums import MarkedBy, Verdict
from exercises.models.submission import Submission
from exercises.models.user import User


class Mark(models.Model):
    """Never changed: an instructor who thinks again gives a new mark, and the old one stays as history.

    `replaced` is the mark that stood before it, and stands again if this one is taken back; `batch` is shared by the
    marks that were given in one act.
    """

    submission = models.ForeignKey(Submission, on_delete=models.CASCADE, related_name="marks")
    by = models.CharField(max_length=16, choices=MarkedBy.choices)
    marker = models.ForeignKey(User, on_delete=models.SET_NULL, null=True, related_name="+")
    verdict = models.CharField(max_length=24, choices=Verdict.choices)
    score = models.DecimalField(max_digits=7, decimal_places=3)
    max_score = models.DecimalField(max_digits=7, decimal_places=3)
    feedback = models.JSONField(default=dict)
    misconceptions = models.JSONField(default=list)
    comment = models.TextField(blank=True)
    replaced = models.ForeignKey("self", on_delete=models.SET_NULL, null=True, related_name="+")
    batch = models.UUIDField(null=True, db_index=True)
    created_at = models.DateTimeField(default=timezone.now)

    class Meta:
        ordering = ["submission", "created_at", "id"]
        constraints = [
            models.UniqueConstraint(
                fields=["submission"], condition=models.Q(by=MarkedBy.AUTO), name="mark_auto_once_per_submission"
            ),
            models.CheckConstraint(condition=models.Q(verdict__in=Verdict.values), name="mark_verdict_known"),
            models.CheckConstraint(
                condition=models.Q(score__gte=Decimal(0)) & models.Q(score__lte=models.F("max_score")),
                name="mark_score_within_bounds",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.score}/{self.max_score} {self.verdict}"


class MisconceptionSighting(models.Model):
    """One misconception that the standing mark of a submission names: what the instructor's board counts in SQL."""

    submission = models.ForeignKey(Submission, on_delete=models.CASCADE, related_name="sightings")
    slug = models.SlugField()
    title = models.JSONField()

    class Meta:
        ordering = ["slug", "submission"]
        constraints = [
            models.UniqueConstraint(fields=["submission", "slug"], name="sighting_once_per_submission"),
        ]
        indexes = [models.Index(fields=["slug"], name="sighting_slug")]

    def __str__(self) -> str:
        return self.slug
