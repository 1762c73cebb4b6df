"""One run of a learner's code that is no try."""

from __future__ import annotations

import uuid

from django.db import models
from django.utils import timezone

from exercises.models.attempt import Attempt


class Run(models.Model):
    """Code that was run to see what it does: on a call of the learner's own, or on the visible cases where `call` is empty.

    It has a row, and not only a key in the broker, because the limit on what one learner may have waiting is kept under
    the learner's lock, where nobody may wait for a broker. The row lives for minutes.
    """

    public_id = models.UUIDField(default=uuid.uuid4, unique=True, editable=False)
    attempt = models.ForeignKey(Attempt, on_delete=models.CASCADE, related_name="runs")
    code = models.TextField()
    call = models.TextField(blank=True)
    ticket = models.CharField(max_length=64, unique=True)
    report = models.JSONField(null=True)
    failure = models.CharField(max_length=64, blank=True)
    created_at = models.DateTimeField(default=timezone.now, db_index=True)
    settled_at = models.DateTimeField(null=True)

    class Meta:
        ordering = ["created_at", "id"]

    def __str__(self) -> str:
        return str(self.public_id)
