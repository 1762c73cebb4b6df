"""Somebody for whom an assignment does not count."""

from __future__ import annotations

from django.db import models
from django.utils import timezone

from exercises.models.assignment import Assignment
from exercises.models.enrollment import Enrollment
from exercises.models.user import User


class Exemption(models.Model):
    """The assignment enters neither what the student earned nor what could be earned."""

    assignment = models.ForeignKey(Assignment, on_delete=models.CASCADE, related_name="exemptions")
    enrollment = models.ForeignKey(Enrollment, on_delete=models.CASCADE, related_name="exemptions")
    reason = models.CharField(max_length=200)
    granted_by = models.ForeignKey(User, on_delete=models.SET_NULL, null=True, related_name="+")
    granted_at = models.DateTimeField(default=timezone.now)

    class Meta:
        ordering = ["assignment", "enrollment"]
        constraints = [
            models.UniqueConstraint(fields=["assignment", "enrollment"], name="exemption_once"),
        ]

    def __str__(self) -> str:
        return f"{self.enrollment}, {self.assignment}"
