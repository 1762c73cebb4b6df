"""A grade that an instructor puts in the place of the computed one."""

from __future__ import annotations

from decimal import Decimal

from django.db import models
from django.db.models import Q
from django.utils import timezone

from exercises.models.assignment import Assignment
from exercises.models.enrollment import Enrollment
from exercises.models.user import User


class Override(models.Model):
    """Never changed or deleted: the latest holds, one without points gives the place back to the computed grade."""

    assignment = models.ForeignKey(Assignment, on_delete=models.CASCADE, related_name="overrides")
    enrollment = models.ForeignKey(Enrollment, on_delete=models.CASCADE, related_name="overrides")
    score = models.DecimalField(max_digits=7, decimal_places=3, null=True)
    reason = models.CharField(max_length=200)
    given_by = models.ForeignKey(User, on_delete=models.SET_NULL, null=True, related_name="+")
    given_at = models.DateTimeField(default=timezone.now)

    class Meta:
        ordering = ["assignment", "enrollment", "id"]
        constraints = [
            models.CheckConstraint(
                condition=Q(score=None) | Q(score__gte=Decimal(0)), name="override_score_not_negative"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.enrollment}, {self.assignment}: {self.score}"
