"""A key by which a script or an LMS speaks for a user."""

from __future__ import annotations

import hashlib

from django.db import models
from django.utils import timezone

from exercises.enums import ApiScope
from exercises.models.course import Course
from exercises.models.user import User


class ApiToken(models.Model):
    """Only a digest is stored: the token itself is 256 random bits and is shown once, when it is made."""

    user = models.ForeignKey(User, on_delete=models.CASCADE, related_name="api_tokens")
    name = models.CharField(max_length=100)
    prefix = models.CharField(max_length=16, help_text="The beginning of the token, to recognise it by.")
    digest = models.CharField(max_length=64, unique=True)
    scopes = models.JSONField(default=list)
    course = models.ForeignKey(
        Course,
        on_delete=models.CASCADE,
        null=True,
        blank=True,
        related_name="api_tokens",
        help_text="Empty: all courses.",
    )
    created_at = models.DateTimeField(default=timezone.now)
    expires_at = models.DateTimeField()
    last_used_at = models.DateTimeField(null=True)
    revoked_at = models.DateTimeField(null=True)

    class Meta:
        ordering = ["user", "created_at"]

    def __str__(self) -> str:
        return f"{self.name} ({self.prefix}…)"

    @staticmethod
    def digest_of(secret: str) -> str:
        """What is stored of a token. No slow hash: 256 random bits cannot be guessed from a fast one."""
        return hashlib.sha256(secret.encode("utf-8", "surrogatepass")).hexdigest()

    def allows(self, scope: ApiScope) -> bool:
        """Whether the token was made for this use."""
        return scope in self.scopes
