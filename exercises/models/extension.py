"""More time for some."""

from __future__ import annotations

from django.db import models
from django.db.models import Q
from django.utils import timezone

from exercises.models.assignment import Assignment
from exercises.models.enrollment import Enrollment
from exercises.models.label import Label
from exercises.models.user import User


class Extension(models.Model):
    """A later due date for one student, or for all who bear a label; the latest that somebody has is the one that holds.

    What comes after the due date, late steps and closing, moves by as much.
    """

    assignment = models.ForeignKey(Assignment, on_delete=models.CASCADE, related_name="extensions")
    enrollment = models.ForeignKey(Enrollment, on_delete=models.CASCADE, null=True, related_name="extensions")
    label = models.ForeignKey(Label, on_delete=models.CASCADE, null=True, related_name="extensions")
    due_at = models.DateTimeField()
    reason = models.CharField(max_length=200)
    granted_by = models.ForeignKey(User, on_delete=models.SET_NULL, null=True, related_name="+")
    granted_at = models.DateTimeField(default=timezone.now)

    class Meta:
        ordering = ["assignment", "granted_at", "id"]
        constraints = [
            models.CheckConstraint(
                condition=Q(enrollment=None, label__isnull=False) | Q(enrollment__isnull=False, label=None),
                name="extension_of_student_or_label",
            ),
            models.UniqueConstraint(fields=["assignment", "enrollment"], name="extension_once_for_student"),
            models.UniqueConstraint(fields=["assignment", "label"], name="extension_once_for_label"),
        ]

    def __str__(self) -> str:
        return f"{self.assignment}: {self.enrollment or self.label} until {self.due_at:%Y-%m-%d %H:%M}"
