"""That somebody agreed to the privacy notice: to which version, and when."""

from __future__ import annotations

from django.db import models
from django.utils import timezone

from exercises.models.user import User


class Consent(models.Model):
    """Never changed: a new version of the notice is agreed to in a new row."""

    user = models.ForeignKey(User, on_delete=models.CASCADE, related_name="consents")
    version = models.CharField(max_length=32)
    given_at = models.DateTimeField(default=timezone.now)

    class Meta:
        ordering = ["user", "given_at"]
        constraints = [models.UniqueConstraint(fields=["user", "version"], name="consent_once_per_version")]

    def __str__(self) -> str:
        return f"{self.user} {self.version}"
