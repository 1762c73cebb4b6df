"""A code by which people join a course as students: typed in, or as the end of an invitation link."""

from __future__ import annotations

from django.db import models
from django.db.models import F, Q
from django.utils import timezone

from exercises.models.course import Course
from exercises.models.user import User


class CourseCode(models.Model):
    """It is no secret of one person, so it is stored as it is and can be shown to a class again.

    It is good until it expires, is used up or is revoked. It makes students, never anybody with more rights.
    """

    course = models.ForeignKey(Course, on_delete=models.CASCADE, related_name="codes")
    code = models.CharField(max_length=16, unique=True)
    created_by = models.ForeignKey(User, on_delete=models.SET_NULL, null=True, related_name="+")
    created_at = models.DateTimeField(default=timezone.now)
    expires_at = models.DateTimeField()
    most_uses = models.PositiveIntegerField()
    uses = models.PositiveIntegerField(default=0)
    revoked_at = models.DateTimeField(null=True)

    class Meta:
        ordering = ["course", "-created_at"]
        constraints = [models.CheckConstraint(condition=Q(uses__lte=F("most_uses")), name="course_code_uses_bounded")]

    def __str__(self) -> str:
        return self.code
