"""What a learner has typed and not sent."""

from __future__ import annotations

import uuid

from django.db import models
from django.utils import timezone

from exercises.models.attempt import Attempt


def new_version() -> str:
    """A name that no other state of any draft ever had."""
    return uuid.uuid4().hex


class Draft(models.Model):
    """The fields of an attempt's form as they stood when they were last kept: pairs of a field's name and its text.

    `version` is new with every change. Whoever writes names the version that the change began from, so that two devices
    cannot overwrite each other unseen.
    """

    attempt = models.OneToOneField(Attempt, on_delete=models.CASCADE, related_name="draft")
    version = models.CharField(max_length=32, default=new_version)
    fields = models.JSONField()
    saved_at = models.DateTimeField(default=timezone.now)

    class Meta:
        ordering = ["attempt"]

    def __str__(self) -> str:
        return f"{self.attempt} ({self.saved_at:%Y-%m-%d %H:%M})"
