"""What an instructor did, kept for good."""

from __future__ import annotations

from django.db import models
from django.utils import timezone

from exercises.models.course import Course
from exercises.models.user import User


class AuditEntry(models.Model):
    """One act of one person. No service changes or deletes an entry.

    `act` is one of `exercises.enums.Act`; an act that is not named there any more stays readable by its own word.
    `subject` names what was acted upon, as "submission:6f1c…": it need not exist any more.
    """

    actor = models.ForeignKey(User, on_delete=models.SET_NULL, null=True, related_name="audit_entries")
    course = models.ForeignKey(Course, on_delete=models.SET_NULL, null=True, related_name="audit_entries")
    act = models.CharField(max_length=64)
    subject = models.CharField(max_length=128)
    detail = models.JSONField(default=dict, blank=True)
    created_at = models.DateTimeField(default=timezone.now)

    class Meta:
        verbose_name_plural = "audit entries"
        ordering = ["-created_at", "-id"]
        indexes = [models.Index(fields=["course", "-created_at"], name="audit_of_course")]

    def __str__(self) -> str:
        return f"{self.act} {self.subject}"
