"""A caller's name for one request, so that sending it twice makes one thing."""

from __future__ import annotations

from django.db import models
from django.utils import timezone

from exercises.models.api_token import ApiToken


class IdempotencyKey(models.Model):
    """Taken before the request is carried out, settled with the id of what it made. Kept for a day."""

    token = models.ForeignKey(ApiToken, on_delete=models.CASCADE, related_name="idempotency_keys")
    key = models.CharField(max_length=255)
    fingerprint = models.CharField(max_length=64, help_text="SHA-256 of method, address and body.")
    made = models.UUIDField(null=True, help_text="Public id of what the request made; empty while it runs.")
    taken_at = models.DateTimeField(default=timezone.now)

    class Meta:
        ordering = ["token", "taken_at"]
        constraints = [models.UniqueConstraint(fields=["token", "key"], name="idempotency_key_once_per_token")]

    def __str__(self) -> str:
        return self.key
