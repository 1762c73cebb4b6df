"""Membership of a course, and the role held in it."""

from __future__ import annotations

from django.db import models
from django.utils import timezone

from exercises.enums import Role
from exercises.models.course import Course
from exercises.models.label import Label
from exercises.models.user import User


class Enrollment(models.Model):
    """One user in one course. Only students enter any figure about the course."""

    course = models.ForeignKey(Course, on_delete=models.CASCADE, related_name="enrollments")
    user = models.ForeignKey(User, on_delete=models.CASCADE, related_name="enrollments")
    role = models.CharField(max_length=16, choices=Role.choices)
    labels = models.ManyToManyField(Label, related_name="enrollments", blank=True)
    created_at = models.DateTimeField(default=timezone.now)

    class Meta:
        ordering = ["course", "user__username"]
        constraints = [
            models.UniqueConstraint(fields=["course", "user"], name="enrollment_once_in_course"),
            models.CheckConstraint(condition=models.Q(role__in=Role.values), name="enrollment_role_known"),
        ]

    def __str__(self) -> str:
        return f"{self.user} @ {self.course}"
